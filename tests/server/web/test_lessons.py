"""The pages of lessons: what they show, before and after the worker has computed, and what is
said when a lesson is broken.
"""

import re
import shutil
from dataclasses import replace
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import update

from grader.errors import ProblemError
from grader.sandbox import SandboxPool
from server.models.accounts import Role
from server.models.base import now
from server.models.lessons import LessonResult
from server.services.lessons import shelf
from server.services.lessons.results import AGAIN_AFTER
from tests import ROOT
from tests.server.conftest import (
    FAKE,
    GOOD,
    SLUG,
    Browser,
    MakeApp,
    user_of,
    write_lesson,
)

GALLERY = ROOT / "tests" / "browser" / "gallery"
PROBLEMS = ("scaled_dot_product_attention", "causal_mask")
KINDS = ("heatmap", "heads", "vectors", "softmax", "mask", "product", "curve")


@pytest.fixture
def lessons(tmp_path: Path, bank: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the bank's lessons: one with a figure of every kind."""
    monkeypatch.setattr(shelf, "CHECK_S", 0.0)
    for slug in PROBLEMS:
        for part in ("problems", "reference"):
            shutil.copytree(ROOT / part / slug, bank / part / slug)
    shutil.copytree(GALLERY, bank / "lessons" / "gallery")
    return bank / "lessons"


@pytest.fixture
def computed(lessons: Path, make_app: MakeApp, sandbox: SandboxPool) -> Any:
    """The application, after its worker has computed the lesson in the real room."""
    app = make_app(work=False)
    compute(app, sandbox)
    return app


def compute(app: Any, sandbox: SandboxPool) -> int:
    """Lets the chore of lessons work until nothing is missing; returns how many it computed."""
    worker = Browser(app).service.worker
    chore = next(each for each in worker.chores if each.name == "lessons")
    count = 0
    while chore.step(sandbox, "test"):
        count += 1
    return count


def edit(lessons: Path, name: str, old: str, new: str) -> None:
    path = lessons / "gallery" / name
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


def test_the_page_shows_what_the_program_computed(computed: Any) -> None:
    text = Browser(computed).get("/lessons/gallery").text
    assert "The largest weight is 0.554; the rows add up to [1.0, 1.0, 1.0, 1.0]." in text
    for kind in KINDS:
        assert text.count(f'data-live="{kind}"') == 1
    assert text.count("The numbers as a table") == len(KINDS)
    assert "A position cannot see itself." in text
    assert '<a href="/problems/causal_mask" rel="noopener">Causal mask</a>' in text
    assert 'class="misconception"' in text and "<summary>Answer</summary>" in text


def test_the_page_is_chinese_with_the_same_numbers(computed: Any) -> None:
    browser = Browser(computed)
    browser.get("/language/zh")
    text = browser.get("/lessons/gallery").text
    assert "最大的权重是 0.554；每行之和是 [1.0, 1.0, 1.0, 1.0]。" in text
    assert "平缓" in text and "词元数" in text and "点积" in text
    assert "flat" not in text and "Dot product" not in text


def test_the_list_and_the_problem_lead_to_the_lesson(computed: Any) -> None:
    browser = Browser(computed)
    text = browser.get("/lessons").text
    assert 'href="/lessons/gallery">A figure of every kind</a>' in text
    assert "5 minutes" in text and "2 problems" in text
    assert 'href="/lessons/gallery"' in browser.get("/problems/causal_mask").text
    assert 'href="/lessons/gallery"' not in browser.get("/problems/double").text


def test_a_lesson_leads_on_to_what_is_ready(
    bank: Path, app: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shelf, "CHECK_S", 0.0)
    lessons = bank / "lessons"

    def list_of(browser: Browser, slug: str) -> list[str]:
        page = browser.get(f"/lessons/{slug}").text
        found = re.findall(r'<ul class="go-on">(.*?)</ul>', page, re.DOTALL)[0]
        items = re.findall(r"<li>(.*?)</li>", found, re.DOTALL)
        return [" ".join(unescape(re.sub("<[^>]*>", " ", item)).split()) for item in items]

    def about(slug: str, order: int, *problems: str) -> None:
        if not (lessons / slug).exists():
            write_lesson(bank, slug)
        path = lessons / slug / "lesson.toml"
        named = ", ".join(f'"{problem}"' for problem in problems)
        path.write_text(
            path.read_text().replace("order = 1", f"order = {order}") + f"problems = [{named}]\n"
        )

    about("one", 101, "double_again")
    about("two", 102, SLUG, "double_again")
    visitor, learner = Browser(app), user_of(app, "lea", Role.LEARNER)
    # double_again is explained in the second lesson too, so the second lesson is what comes next
    before = "Twice again Easy · after the lesson A lesson"
    assert list_of(visitor, "one") == ["A lesson the next lesson", before]
    assert list_of(visitor, "two") == [
        "Twice the input Easy",
        "Twice again Easy · after Twice the input",
    ]
    learner.judged(GOOD)
    assert list_of(learner, "two") == ["Twice the input Easy ✓ solved", "Twice again Easy"]


def test_until_it_is_computed_the_page_says_so(lessons: Path, make_app: MakeApp) -> None:
    browser = Browser(make_app(work=False))
    text = browser.get("/lessons/gallery").text
    assert "being computed" in text and "data-waiting" in text
    assert "largest weight" not in text


def test_it_is_computed_once_and_again_after_a_change(
    lessons: Path, computed: Any, sandbox: SandboxPool
) -> None:
    assert compute(computed, sandbox) == 0
    edit(lessons, "lesson.py", "default_rng(1)", "default_rng(2)")
    browser = Browser(computed)
    assert "being computed" in browser.get("/lessons/gallery").text
    assert compute(computed, sandbox) == 1
    text = browser.get("/lessons/gallery").text
    assert "The largest weight is" in text and "0.554" not in text
    with browser.service.database.read() as session:
        assert session.query(LessonResult).count() == 2


BROKEN = [
    ("lesson.py", "rng = np", "rng = 1 / 0  # np", "lesson.py, line 4: ZeroDivisionError"),
    ("lesson.py", '"kind": "curve"', '"kind": "line"', "figure 'cost': 'kind' is 'line'"),
    ("lesson.md", "[[code: call]]", "[[code: cal]]", "has no region '# [cal]'"),
    ("lesson.toml", 'uses = ["scaled', 'uses = ["scald', "which is not a problem of the bank"),
]


@pytest.mark.parametrize(("name", "old", "new", "said"), BROKEN, ids=[row[3] for row in BROKEN])
def test_a_broken_lesson_says_why_to_instructors_only(
    lessons: Path,
    make_app: MakeApp,
    sandbox: SandboxPool,
    name: str,
    old: str,
    new: str,
    said: str,
) -> None:
    edit(lessons, name, old, new)
    app = make_app(work=False)
    compute(app, sandbox)
    text = user_of(app, "teacher", Role.INSTRUCTOR).get("/lessons/gallery").text
    assert "cannot be shown at the moment" in text
    assert said in text.replace("&#39;", "'").replace("&#34;", '"')
    of_learner = user_of(app, "lea", Role.LEARNER).get("/lessons/gallery").text
    assert "cannot be shown at the moment" in of_learner and "lesson." not in of_learner


def test_a_lesson_that_cannot_be_read_is_named_in_the_list(
    lessons: Path, make_app: MakeApp
) -> None:
    edit(lessons, "lesson.toml", "minutes = 5", "")
    app = make_app(work=False)
    said = "'minutes' is missing; see docs/lessons.md"
    teacher = user_of(app, "teacher", Role.INSTRUCTOR)
    assert said in teacher.get("/lessons").text.replace("&#39;", "'")
    answer = teacher.get("/lessons/gallery")
    assert answer.status_code == 404 and said in answer.text.replace("&#39;", "'")
    assert said not in Browser(app).get("/lessons").text.replace("&#39;", "'")
    assert Browser(app).get("/lessons/gallery").status_code == 404


def test_a_failing_room_is_not_the_lessons_fault(lessons: Path, make_app: MakeApp) -> None:
    """Only what the author can mend is kept as a fault."""

    def failing(*_: object) -> None:
        raise ProblemError("lesson.py: it is broken")

    app = make_app(replace(FAKE, compute_lesson=failing), work=False)
    chore = next(c for c in Browser(app).service.worker.chores if c.name == "lessons")
    assert chore.step(None, "test") is True  # type: ignore[arg-type]
    assert "cannot be shown" in Browser(app).get("/lessons/gallery").text
    assert chore.step(None, "test") is False  # type: ignore[arg-type]
    with Browser(app).service.database.write() as session:
        session.execute(update(LessonResult).values(computed_at=now() - AGAIN_AFTER))
    assert chore.step(None, "test") is True  # type: ignore[arg-type]

    def lost(*_: object) -> None:
        raise OSError("no room")

    app = make_app(replace(FAKE, compute_lesson=lost), work=False)
    with Browser(app).service.database.write() as session:
        session.query(LessonResult).delete()
    chore = next(c for c in Browser(app).service.worker.chores if c.name == "lessons")
    with pytest.raises(OSError, match="no room"):
        chore.step(None, "test")  # type: ignore[arg-type]
    assert "being computed" in Browser(app).get("/lessons/gallery").text


def test_there_is_no_lesson(make_app: MakeApp) -> None:
    browser = Browser(make_app(work=False))
    assert "This bank has no lessons." in browser.get("/lessons").text
    assert browser.get("/lessons/nothing").status_code == 404


def test_words_are_listed_and_a_problem_names_those_that_it_uses(
    lessons: Path, make_app: MakeApp
) -> None:
    visitor = Browser(make_app(work=False))
    assert "This bank explains no words." in visitor.get("/words").text
    shutil.copy(ROOT / "lessons" / "words.toml", lessons)
    page = visitor.get("/words").text
    assert '<dt id="causal-mask">causal mask</dt>' in page and '<dt id="softmax">' in page
    problem = visitor.get(f"/problems/{PROBLEMS[1]}").text
    assert problem.count('popovertarget="word-causal-mask"') == 1
    assert 'id="word-causal-mask" popover' in problem and "word-softmax" not in problem
    assert 'href="/lessons/masks"' not in problem  # this bank lacks the lesson of the word
    visitor.get("/language/zh")
    chinese = visitor.get(f"/problems/{PROBLEMS[1]}").text
    assert 'popovertarget="word-causal-mask">因果掩码</button>' in chinese
    assert "<strong>因果掩码</strong>" in chinese
    (lessons / "words.toml").write_text('[[word]]\nkey = "x"\n')
    teacher = user_of(visitor.app, "teacher", Role.INSTRUCTOR)
    assert "words.toml" in teacher.get("/lessons").text  # what is wrong is told to teachers
