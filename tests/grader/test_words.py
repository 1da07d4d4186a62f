"""The words of a bank: what the file may hold, and where a text uses them. Why references work."""

from pathlib import Path

import pytest

from grader.errors import ProblemError
from grader.lessons import load_lessons, read_why, read_words, uses
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


WORDS = """
[[word]]
key = "mask"
name = "mask"
name_zh = "掩码"
also = ["masked"]
text = "Hides keys."
text_zh = "遮住键。"

[[word]]
key = "causal-mask"
name = "causal mask"
name_zh = "因果掩码"
text = "Hides later keys."
text_zh = "遮住后面的键。"

[[word]]
key = "value"
name = "value"
name_zh = "值"
also_zh = ["值向量"]
text = "What is taken."
text_zh = "取走的东西。"
"""
TEXTS = (
    ("as it is", "en", "A mask.", ["mask"]),
    ("at the beginning, in capitals", "en", "Masks are no form of it, but Masked is.", ["mask"]),
    ("in another word", "en", "Unmask it, or use masking.", []),
    ("as a part of a name", "en", "Give padding_mask, or a mask-like thing.", []),
    ("the longer of two", "en", "A causal\nmask is a mask.", ["causal-mask", "mask"]),
    ("Chinese in English", "en", "掩码", []),
    ("English in Chinese", "zh", "mask", []),
    ("inside of Chinese", "zh", "用因果掩码遮住", ["causal-mask"]),
    ("one character alone", "zh", "值。键和值", ["value", "value"]),
    ("one character between particles", "zh", "每个值都", ["value"]),
    ("one character in other words", "zh", "返回值，数值，均值的和，值得", []),
    ("one character in a longer form", "zh", "看值向量吧", ["value"]),
)


@pytest.mark.parametrize(
    ("language", "text", "found"), [row[1:] for row in TEXTS], ids=[row[0] for row in TEXTS]
)
def test_a_text_uses_a_word_as_a_whole(
    language: str, text: str, found: list[str], tmp_path: Path
) -> None:
    words = read_words(written(tmp_path, WORDS))
    assert [use.word.key for use in uses(words, text, language)] == found


def test_no_words_are_used_where_none_are_explained() -> None:
    assert list(uses((), "A mask.", "en")) == []


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


@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_shipped_word_is_used_and_leads_to_a_lesson(language: str) -> None:
    words = read_words(ROOT)
    lessons = {lesson.slug: lesson.texts[language] for lesson in load_lessons(ROOT)}
    statements = [problem.statements[language] for problem in load_bank(ROOT)]
    text = "\n".join([*lessons.values(), *statements])
    unused = {word.key for word in words} - {use.word.key for use in uses(words, text, language)}
    assert unused == set()
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
