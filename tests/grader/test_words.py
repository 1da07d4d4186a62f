"""The words of a bank: what the file may hold, and where a text uses them. Why references work."""

from pathlib import Path

import pytest

from grader.errors import ProblemError
from grader.lessons import load_lessons, read_why, read_words, used
from grader.problem import load_bank
from tests import ROOT

WORD = """[[word]]
key = "mask"
name = "mask"
name_zh = "掩码"
also = ["masked"]
text = "Hides keys."
text_zh = "遮住键。"
"""


def written(folder: Path, text: str) -> Path:
    (folder / "lessons").mkdir()
    (folder / "lessons" / "words.toml").write_text(text)
    (folder / "problems").mkdir()
    (folder / "reference").mkdir()
    return folder


TEXTS = (
    ("as it is", "A mask.", True),
    ("at the beginning, in capitals", "Masks are no form of it, but Masked is.", True),
    ("in another word", "Unmask it, or use masking.", False),
    ("as a part of a name", "Give `mask` and padding_mask, or a mask-like thing.", False),
    ("in code", "Use\n```\nmask\n```\nhere.", False),
    ("in a formula", "Let $mask = 1$.", False),
)


@pytest.mark.parametrize(("text", "found"), [row[1:] for row in TEXTS], ids=[r[0] for r in TEXTS])
def test_a_text_uses_a_word_as_a_whole(text: str, found: bool, tmp_path: Path) -> None:
    words = read_words(written(tmp_path, WORD))
    assert [word.key for word in used(words, text)] == ["mask"] * found


FAULTS = {
    "a key twice": (WORD + WORD, "two words have the key 'mask'; give each its own"),
    "a key with a space": (WORD.replace('"mask"', '"a mask"', 1), "'key' is 'a mask'; use at most"),
    "no explanation": (WORD.replace('"Hides keys."', '""'), "word 'mask': 'text' has 0 characters"),
    "a long one": (WORD.replace("Hides", "Hides" * 99), "give 1 to 400"),
    "no Chinese": (WORD.replace('text_zh = "遮住键。"\n', ""), "'text_zh' is missing"),
    "an unknown key": (WORD + 'txt = "x"\n', "unknown key 'txt'"),
    "no table": ("word = 3\n", "must be tables [[word]]"),
    "another table": (WORD + "[other]\n", "unknown key 'other'"),
}


@pytest.mark.parametrize(("text", "message"), FAULTS.values(), ids=FAULTS.keys())
def test_a_fault_names_the_place_and_the_remedy(text: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(ProblemError) as error:
        read_words(written(tmp_path, text))
    assert "words.toml" in str(error.value) and message in str(error.value)


def test_a_bank_may_explain_no_words(tmp_path: Path) -> None:
    (tmp_path / "problems").mkdir()
    (tmp_path / "reference").mkdir()
    assert read_words(tmp_path) == ()


def test_every_shipped_word_is_used_and_leads_to_a_lesson() -> None:
    words = read_words(ROOT)
    lessons = {lesson.slug: lesson.texts["en"] for lesson in load_lessons(ROOT)}
    texts = [*lessons.values(), *(problem.statements["en"] for problem in load_bank(ROOT))]
    assert [word.key for word in words if not any(used([word], text) for text in texts)] == []
    assert {word.lesson for word in words} - {""} <= set(lessons)


def test_every_problem_is_explained_in_both_languages() -> None:
    names = sorted(path.name for path in (ROOT / "lessons" / "why").iterdir())
    slugs = sorted(name.removesuffix(".md") for name in names if not name.endswith(".zh.md"))
    assert names == sorted(name for slug in slugs for name in (f"{slug}.md", f"{slug}.zh.md"))
    assert slugs == sorted(problem.slug for problem in load_bank(ROOT))
    for slug in slugs:
        english, chinese = (read_why(ROOT, slug, language) for language in ("en", "zh"))
        assert english and chinese and english != chinese


def test_an_explanation_has_ten_lines(tmp_path: Path) -> None:
    folder = written(tmp_path, "") / "lessons" / "why"
    folder.mkdir()
    (folder / "one.md").write_text("a\n\n" * 10)
    assert read_why(tmp_path, "one", "zh") == "a\n\n" * 10  # there is no Chinese
    assert read_why(tmp_path, "two", "en") == ""
    (folder / "one.md").write_text("a\n" * 11)
    with pytest.raises(ProblemError, match="11 lines that are not empty; give at most 10"):
        read_why(tmp_path, "one", "en")
