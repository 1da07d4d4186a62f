"""Natural attempts: right ones are accepted, wrong ones are refused. How often the hints name the
cause takes half an hour: `make hints`.
"""

from dataclasses import replace

import pytest

from grader.findings.codes import Code
from grader.findings.finding import finding
from grader.model import CaseResult, Diagnosis, Framework, Outcome, Verdict
from grader.sandbox import SandboxPool
from tests.bank.attempts import (
    FOLDER,
    OTHER,
    Attempt,
    Rates,
    mutated,
    named,
    natural,
    place,
    rate,
    same_program,
    verdict_of,
)
from tests.bank.refused import refusals
from tests.conftest import SLUGS
from tests.shipped import shipped

# what the judge says today and should not, by attempt, with the reason; each is to be mended
KNOWN: dict[str, str] = {}
REFUSED = (
    Outcome.WRONG_ANSWER,
    Outcome.RUNTIME_ERROR,
    Outcome.TIME_LIMIT,
    Outcome.MEMORY_LIMIT,
    Outcome.OUTPUT_LIMIT,
)


def attempts(slug: str) -> list[Attempt]:
    """The attempts at one problem."""
    return list(natural(shipped(slug)))


def wrong(slug: str, framework: Framework) -> dict[str, str]:
    """The sources of the wrong ones in a framework, by name."""
    return {
        attempt.name: attempt.source
        for attempt in attempts(slug)
        if not attempt.right and attempt.framework is framework
    }


@pytest.mark.slow
@pytest.mark.parametrize("slug", SLUGS)
def test_right_ones_are_accepted_and_wrong_ones_are_refused(
    slug: str, sandbox: SandboxPool
) -> None:
    """For a wrong one, one failed case is enough. What no quick case refuses is judged whole."""
    problem = shipped(slug)
    refused = {
        name
        for framework in problem.frameworks
        for name in refusals(problem, framework, wrong(slug, framework), sandbox)
    }
    unexpected: list[tuple[str, ...]] = [
        (name, "refused") for name in refused if f"{slug}/{name}" in KNOWN
    ]
    for attempt in (each for each in attempts(slug) if each.name not in refused):
        verdict = verdict_of(problem, attempt, sandbox, explain=False)
        expected = (Outcome.ACCEPTED,) if attempt.right else REFUSED
        name = f"{slug}/{attempt.name}"
        if (verdict.verdict in expected) == (name in KNOWN):
            due = KNOWN.get(name, "")
            unexpected.append((name, str(verdict.verdict), verdict.message, due))
    assert unexpected == []


@pytest.mark.parametrize("slug", SLUGS)
def test_every_problem_has_enough_attempts(slug: str) -> None:
    wrong = [attempt.causes for attempt in attempts(slug) if not attempt.right]
    assert len(wrong) >= 12
    assert sum(len(causes) > 1 for causes in wrong) >= 6
    assert len(attempts(slug)) - len(wrong) >= 4


@pytest.mark.parametrize("slug", SLUGS)
def test_every_cause_is_a_known_mistake_or_a_phrase(slug: str) -> None:
    known = {mistake.name for mistake in shipped(slug).mistakes}
    unknown = [
        (attempt.name, name)
        for attempt in attempts(slug)
        for cause in attempt.causes
        if not cause.startswith(OTHER)
        for name in cause.split("|")
        if name not in known
    ]
    assert unknown == []


def test_no_two_attempts_are_the_same() -> None:
    """Below the header, that is."""
    bodies = [path.read_text(encoding="utf-8").split("\n", 2)[2] for path in FOLDER.glob("*/*.py")]
    assert len(bodies) > 400
    assert len(set(bodies)) == len(bodies)


def test_every_known_exception_is_an_attempt() -> None:
    files = {f"{path.parent.name}/{path.stem}" for path in FOLDER.glob("*/*.py")}
    assert KNOWN.keys() <= files


@pytest.mark.parametrize(
    ("causes", "names", "expected"),
    [
        (("a",), (), Rates(count=1, silent=1)),
        (("a",), ("a",), Rates(count=1, one=1, all=1)),
        (("a",), ("b",), Rates(count=1, false=1)),
        (("a", "b"), ("a",), Rates(count=1, one=1)),
        (("a", "b"), ("b", "a"), Rates(count=1, one=1, all=1)),
        (("a", "b"), ("b", "c"), Rates(count=1, one=1, false=1)),
        (("a|b",), ("b",), Rates(count=1, one=1, all=1)),
        (("a", "other: a slip"), ("a",), Rates(count=1, one=1)),
        (("other: a slip",), ("float64_results",), Rates(count=1, silent=1)),
        (("float64_results",), ("float64_results",), Rates(count=1, one=1, all=1)),
    ],
)
def test_rates(causes: tuple[str, ...], names: tuple[str, ...], expected: Rates) -> None:
    attempt = Attempt("causal_mask", "x_numpy", Framework.NUMPY, "A thought.", causes, "")
    assert rate(attempt, names) == expected


def judged_mutant(line: int | None, *names: str) -> Verdict:
    """A verdict whose only case fails with an exception in a line, and names these mistakes."""
    errors = (finding(Code.RAISED, line, type="ValueError", text=""),)
    case = CaseResult(
        "a case", Outcome.RUNTIME_ERROR, False, 0, 1, 0.0, 0.0, 0.0, "", findings=errors
    )
    told = tuple(Diagnosis(name, "A hint.", ()) for name in names)
    return Verdict(
        "masked_attention",
        "",
        Framework.NUMPY,
        Outcome.RUNTIME_ERROR,
        0,
        1,
        "",
        0,
        (case,),
        told,
        "",
    )


@pytest.mark.parametrize(
    ("line", "names", "expected"),
    [
        (None, (), Rates(count=1, silent=1)),
        (13, (), Rates(count=1, all=1)),
        (14, (), Rates(count=1, silent=1)),
        (None, ("no_scale",), Rates(count=1, one=1, all=1)),
        (None, ("polarity_inverted",), Rates(count=1, one=1, false=1)),
        (13, ("polarity_inverted",), Rates(count=1, one=1, all=1)),
    ],
)
def test_rates_of_a_mutant(line: int | None, names: tuple[str, ...], expected: Rates) -> None:
    """The scores are in line 13, where `no_scale` changes them."""
    problem = shipped("masked_attention")
    attempt = Attempt(problem.slug, "x_numpy", Framework.NUMPY, "", ("other: x",), "", line=13)
    assert place(problem, attempt, judged_mutant(line, *names)) == expected


def test_a_name_that_explains_every_failure_is_another_way_to_write_the_program() -> None:
    verdict = judged_mutant(None, "no_scale")
    assert not same_program(verdict)
    (told,) = verdict.diagnoses
    for cases, guess, same in ((("a case",), False, True), (("a case",), True, False)):
        each = replace(told, cases=cases, guess=guess)
        assert same_program(replace(verdict, diagnoses=(each,))) is same


def test_a_mutant_that_is_traced_to_its_line_is_placed() -> None:
    problem = shipped("masked_attention")
    attempt = Attempt(problem.slug, "x_numpy", Framework.NUMPY, "", ("other: x",), "", line=13)
    assert place(problem, attempt, judged_mutant(None), traced=True) == Rates(count=1, all=1)


def test_mutants_of_a_problem_are_the_same_each_time_and_know_their_line() -> None:
    problem = shipped("masked_attention")
    found = list(mutated(problem))
    assert found == list(mutated(problem)) and len(found) == 22
    assert {attempt.framework for attempt in found} == set(problem.frameworks)
    assert all(attempt.line > 0 and not attempt.right for attempt in found)


@pytest.mark.parametrize("names", [(), ("no_scale",), ("no_scale", "mask_inverted")])
def test_names_of_a_verdict(names: tuple[str, ...]) -> None:
    told = tuple(Diagnosis(name, "A hint.", ()) for name in names)
    verdict = Verdict(
        "causal_mask", "", Framework.NUMPY, Outcome.WRONG_ANSWER, 0, 1, "", 0, (), told, ""
    )
    assert named(verdict) == names
