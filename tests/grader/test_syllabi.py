"""Syllabi: the shipped ones, what one may say, and what a bank must have for it."""

import re
from pathlib import Path

import pytest

from grader.errors import ProblemError, UsageError
from grader.lessons import load_lessons
from grader.practice import items
from grader.problem import load
from grader.sandbox import SandboxPool
from grader.syllabi import faults, read, read_all, untranslated
from grader.syllabi import load as load_syllabus
from tests.conftest import ROOT, SLUGS

SHIPPED, UNREADABLE = read_all(ROOT)
STEPS = sorted({pair for each in SHIPPED for week in each.weeks for pair in week.practice})


def test_every_shipped_syllabus_can_be_used() -> None:
    problems, lessons = [load(ROOT, slug) for slug in SLUGS], load_lessons(ROOT)
    assert UNREADABLE == {}
    assert {each.name: len(each.weeks) for each in SHIPPED} == {
        "attention_in_four_weeks": 4,
        "modern_attention_in_two_weeks": 2,
    }
    for syllabus in SHIPPED:
        assert faults(syllabus, lessons, problems, SHIPPED) + untranslated(syllabus) == []
        assert syllabus.title_zh
        given = {slug for week in syllabus.weeks for slug in week.problems}
        assert {slug for week in syllabus.weeks for slug, _ in week.practice} <= given


@pytest.mark.slow
@pytest.mark.parametrize("slug", sorted({slug for slug, _ in STEPS}))
def test_every_step_has_items(slug: str, sandbox: SandboxPool) -> None:
    problem = load(ROOT, slug)
    made = {item.step for item in items(problem, problem.frameworks[0], sandbox)}
    assert {step for name, step in STEPS if name == slug} <= made


WEEK = '[[week]]\ntitle = "One"\n'
TEXT = f'title = "T"\n{WEEK}'
REFUSED = {
    "no week": ('title = "T"\n', "'week' is missing"),
    "weeks that are no tables": ('title = "T"\nweek = "one"\n', "must be tables [[week]]"),
    "too many weeks": (f"title = 'T'\n{WEEK * 53}", "give 1 to 52 tables [[week]]"),
    "an empty week": (TEXT, "week 1: 'lessons', 'practice' and 'problems' are all empty"),
    "a key that nobody knows": (f'{TEXT}lesson = ["softmax"]\n', "did you mean 'lessons'"),
    "a step that is none": (
        f'{TEXT}practice = ["softmax:sleep"]\n',
        "week 1: 'practice' has 'softmax:sleep'; write PROBLEM:STEP with one of predict,",
    ),
    "an entry twice": (f'{TEXT}problems = ["a", "a"]\n', "one entry twice"),
    "no title": ('title = ""\n[[week]]\ntitle = "One"\nproblems = ["a"]\n', "1 to 100 characters"),
}


@pytest.mark.parametrize(("text", "said"), REFUSED.values(), ids=REFUSED.keys())
def test_what_no_syllabus_says(tmp_path: Path, text: str, said: str) -> None:
    file = tmp_path / "odd.toml"
    file.write_text(text)
    with pytest.raises(ProblemError, match=re.escape(said)) as refused:
        read(file)
    assert str(file) in str(refused.value)


def test_an_unknown_syllabus() -> None:
    with pytest.raises(UsageError, match="did you mean 'attention_in_four_weeks'"):
        load_syllabus(ROOT, "attention_in_for_weeks")


KNOWN = ("causal_linear_attention", "causal_mask", "linear_attention")
MISPLACED = {
    "a problem before what it requires": (
        'problems = ["causal_linear_attention"]',
        "'causal_linear_attention' requires 'causal_mask', which does not come before it; give that"
        " earlier in 'problems', or leave 'causal_linear_attention' out",
    ),
    "a lesson before what it requires": (
        'lessons = ["softmax"]',
        "'softmax' requires 'words_as_vectors', which does not come before it; give that earlier in"
        " 'lessons', or leave 'softmax' out",
    ),
    "a problem that is not there": (
        'problems = ["causal_masks"]',
        "'problems' has 'causal_masks', which the bank does not have (did you mean 'causal_mask'?)",
    ),
    "practice of none": (
        'practice = ["nothing:fill", "nothing:bug"]',
        "'practice' has 'nothing', which the bank does not have",
    ),
    "a lesson that is not there": (
        'lessons = ["nothing"]',
        "'lessons' has 'nothing', which the bank does not have",
    ),
}


@pytest.mark.parametrize(("line", "said"), MISPLACED.values(), ids=MISPLACED.keys())
def test_what_a_bank_cannot_give(tmp_path: Path, line: str, said: str) -> None:
    file = tmp_path / "odd.toml"
    file.write_text(f"{TEXT}{line}\n")
    found = faults(read(file), load_lessons(ROOT), [load(ROOT, slug) for slug in KNOWN])
    assert [str(each) for each in found].count(f"{file}: week 1: {said}") == 1


def test_a_later_week_gives_what_an_earlier_one_requires(tmp_path: Path) -> None:
    lessons = load_lessons(ROOT)
    weeks = [f'{WEEK}lessons = ["{slug}"]\n' for slug in ("words_as_vectors", "softmax")]
    file = tmp_path / "odd.toml"
    file.write_text('title = "T"\n' + "".join(weeks))
    assert faults(read(file), lessons, []) == []
    file.write_text('title = "T"\n' + "".join(reversed(weeks)))
    (found,) = faults(read(file), lessons, [])
    assert "week 1: 'softmax' requires 'words_as_vectors'" in str(found)


def test_what_another_syllabus_gives_comes_before(tmp_path: Path) -> None:
    (tmp_path / "first.toml").write_text(f'{TEXT}problems = ["causal_mask"]\n')
    asks = 'problems = ["linear_attention", "causal_linear_attention"]\n'
    (tmp_path / "second.toml").write_text(f'follows = "first"\n{TEXT}{asks}')
    first, second = read(tmp_path / "first.toml"), read(tmp_path / "second.toml")
    problems = [load(ROOT, slug) for slug in KNOWN]
    alone = [str(fault) for fault in faults(second, [], problems, [second])]
    after = [str(fault) for fault in faults(second, [], problems, [first, second])]
    assert any("'follows' has 'first', which is not another syllabus" in fault for fault in alone)
    assert any("requires 'causal_mask'" in fault for fault in alone)
    assert after == [
        fault for fault in alone if "first" not in fault and "causal_mask" not in fault
    ]


def test_half_of_a_translation_is_named(tmp_path: Path) -> None:
    file = tmp_path / "odd.toml"
    english = f'title = "T"\nsummary = "S"\n{WEEK}problems = ["a"]\n'
    file.write_text(english)
    assert untranslated(read(file)) == []
    file.write_text(f'title_zh = "课"\n{english}')
    assert [str(each) for each in untranslated(read(file))] == [
        f"{file}: '{key}' is missing, and other texts are there in Chinese; add it"
        for key in ("summary_zh",)
    ] + [f"{file}: week 1: 'title_zh' is missing, and other texts are there in Chinese; add it"]
