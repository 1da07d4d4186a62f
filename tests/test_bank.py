"""Every problem of the bank is fit to use: what `grade verify` demands, and what the issue of the bank asks of its folders."""

import re

import pytest

from grader.case import Case
from grader.model import Framework, Kind
from grader.problem import TRACKS, Problem, load, load_bank
from grader.sandbox import Rooms
from grader.verify import Fitness, verify
from tests.conftest import ROOT, SLUGS

ENGLISH, CHINESE = re.compile(r"[A-Za-z]{3,}"), re.compile(r"[\u4e00-\u9fff]")
STYLES = 3  # right solutions in different styles, in each framework
MISTAKES, CASES = 8, 10

_fitness: dict[str, Fitness] = {}


def problem(slug: str) -> Problem:
    return load(ROOT, slug)


def fitness(slug: str, sandbox: Rooms) -> Fitness:
    """The findings of one problem, found once."""
    if slug not in _fitness:
        _fitness[slug] = verify(problem(slug), sandbox)
    return _fitness[slug]


@pytest.mark.parametrize("slug", SLUGS)
def test_fit_to_use(slug: str, sandbox: Rooms) -> None:
    found = fitness(slug, sandbox)
    assert [f"rule {f.rule}: {f.where}: {f.text}" for f in found.findings] == []
    assert [m.framework for m in found.matrices] == list(found.problem.frameworks)


def cases_of(slug: str, sandbox: Rooms) -> dict[Framework, list[Case]]:
    return {matrix.framework: [a.case for a in matrix.cases] for matrix in fitness(slug, sandbox).matrices}


@pytest.mark.parametrize("slug", SLUGS)
def test_cases_and_samples(slug: str, sandbox: Rooms) -> None:
    for cases in cases_of(slug, sandbox).values():
        samples = sum(case.sample for case in cases)
        assert len(cases) >= CASES and 2 <= samples <= 3
        assert all(max((a.size for a in case.inputs.values()), default=0) <= 64 for case in cases if case.sample)


@pytest.mark.parametrize("slug", SLUGS)
def test_mistakes_with_hints(slug: str) -> None:
    found = problem(slug)
    for framework in found.frameworks:
        known = [m for m in found.mistakes if framework in m.sources]
        assert len(known) >= MISTAKES
    hints = [m.hint for m in found.mistakes]
    assert len(set(hints)) == len(hints)
    assert all(len(hint) >= 20 for hint in hints)


@pytest.mark.parametrize("slug", SLUGS)
def test_a_hint_does_not_give_the_line_to_type(slug: str) -> None:
    """What a mistake leaves out of the reference, or puts into it, is not in its hint as code."""
    found = problem(slug)
    for mistake in found.mistakes:
        for framework, source in mistake.sources.items():
            own = [line.strip() for line in found.references[framework].splitlines() if line.strip() and line not in source.splitlines()]
            assert not any(len(line) > 12 and line in mistake.hint for line in own), mistake.name


@pytest.mark.parametrize("slug", SLUGS)
def test_words_in_chinese(slug: str, sandbox: Rooms) -> None:
    """That none is missing is for `verify` to say; here: they are there, they are Chinese, and no two of them are alike."""
    found = problem(slug)
    words = found.words["zh"]
    assert set(words.hints) == {m.name for m in found.mistakes}
    assert set(words.notes) == {case.name for cases in cases_of(slug, sandbox).values() for case in cases}
    for texts in (words.hints, words.names):
        assert len(set(texts.values())) == len(texts)
    plain = {name for name, text in {**words.hints, **words.notes}.items() if not CHINESE.search(text)}
    assert plain == set()


@pytest.mark.parametrize("slug", SLUGS)
def test_statements(slug: str) -> None:
    found = problem(slug)
    assert set(found.statements) == {"en", "zh"} and found.title_zh
    english, chinese = found.statements["en"], found.statements["zh"]
    assert english.startswith(f"# {found.title}\n") and chinese.startswith(f"# {found.title_zh}\n")
    assert len(CHINESE.findall(chinese)) > 100 and len(CHINESE.findall(english)) == 0
    samples = re.findall(r"\[\[sample: .*?\]\]", english)
    assert samples and samples == re.findall(r"\[\[sample: .*?\]\]", chinese)
    assert found.source in english or re.findall(r"https?://\S+", found.source)


@pytest.mark.parametrize("slug", SLUGS)
def test_a_statement_names_every_parameter_and_result(slug: str) -> None:
    found = problem(slug)
    for language, text in found.statements.items():
        for entry in found.entries:
            names = [p.name for p in (*entry.init, *entry.params)] + [n for n in entry.returns if len(entry.returns) > 1]
            missing = [name for name in names if not re.search(rf"\b{re.escape(name)}\b", text)]
            assert not missing, (language, entry.name)


@pytest.mark.parametrize("slug", SLUGS)
def test_a_statement_shows_every_sample(slug: str, sandbox: Rooms) -> None:
    found = problem(slug)
    samples = {case.name for cases in cases_of(slug, sandbox).values() for case in cases if case.sample}
    shown = set(re.findall(r"\[\[sample: (.*?)\]\]", found.statements["en"]))
    assert shown and shown <= samples


@pytest.mark.parametrize("slug", SLUGS)
def test_a_statement_holds_no_line_of_the_reference(slug: str) -> None:
    found = problem(slug)
    for reference in found.references.values():
        body = [line.strip() for line in reference.splitlines() if line.startswith("    ") and "return" in line]
        assert not any(len(line) > 20 and line in text for line in body for text in found.statements.values())


@pytest.mark.parametrize("slug", SLUGS)
def test_starters_leave_the_work_and_say_what_it_is(slug: str) -> None:
    found = problem(slug)
    for framework, starter in found.starters.items():
        for entry in found.entries if found.kind is not Kind.VALUES else ():
            assert re.search(rf"\b(def|class) {entry.name}\b", starter), framework
        assert len(starter) < len(found.references[framework]) + 400


@pytest.mark.parametrize("slug", SLUGS)
def test_right_and_wrong_solutions_are_kept_beside_the_tests(slug: str) -> None:
    folder = ROOT / "tests" / "solutions" / slug
    for framework in problem(slug).frameworks:
        assert len(list(folder.glob(f"right_*_{framework}.py"))) >= STYLES, framework
    assert list(folder.glob("wrong_*.py"))


# ------------------------------------------------------------------------------------------------------------------ the bank as a whole


def test_25_problems_in_four_tracks() -> None:
    bank = load_bank(ROOT)
    assert len(bank) >= 25
    assert {p.track for p in bank} >= set(TRACKS[:4])
    places = [(p.track, p.order) for p in bank]
    assert len(set(places)) == len(places)


def test_what_a_problem_builds_on_comes_before_it() -> None:
    seen: set[str] = set()
    for found in load_bank(ROOT):
        assert set(found.requires) <= seen, found.slug
        seen.add(found.slug)


def test_titles_differ() -> None:
    bank = load_bank(ROOT)
    assert len({p.title for p in bank}) == len({p.title_zh for p in bank}) == len(bank)


def test_the_page_of_the_bank_knows_every_problem() -> None:
    page = ROOT / "docs" / "bank.md"
    if not page.exists():
        pytest.skip("docs/bank.md is not written yet (make verify)")
    text = page.read_text(encoding="utf-8")
    for found in load_bank(ROOT):
        for framework in found.frameworks:
            assert f"| {found.slug} | {framework} |" in text
