"""What a person reads: the whole text report of each kind of verdict, compared with a file that is
kept (tests/grader/cli/golden/*.txt).

After a change on purpose: GOLDEN=write python -m pytest tests/grader/cli/test_report.py, then read the
difference.
"""

import json
import os
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from rich.console import Console

from grader.case import Case
from grader.cli.judging import formats
from grader.cli.render import report
from grader.findings import phrases
from grader.findings.codes import Code
from grader.findings.finding import finding
from grader.findings.sentences import sentence
from grader.model import CaseResult, Diagnosis, Framework, Outcome, Twin, Verdict
from grader.verdict.translate import translator
from tests.grader.cli.junit import invalid
from tests.grader.test_findings import SENTENCES

GOLDEN = Path(__file__).parent / "golden"
Q, K = np.array([[1.0, 2.0]], np.float32), np.array([[3.0, 5.0], [7.0, 11.0]], np.float32)
RIGHT, WRONG = np.array([[13.0, 29.0]]), np.array([[18.3848, 41.0122]], np.float32)
SAMPLE = Case(
    "two words",
    inputs={"q": Q, "k": K, "mask": np.ones((9, 9), bool)},
    options={"causal": True},
    sample=True,
    note="By hand.",
)
DIFFERS = (
    "scores: 2 of 2 values differ, by up to 12 (allowed 1e-05); every value is 1.41 = √2 times what"
    " it should be"
)


def result(
    name: str,
    outcome: Outcome,
    message: str = "",
    sample: bool = False,
    printed: str = "",
    points: int = 1,
) -> CaseResult:
    """A judged case; a sample carries its tensors."""
    return CaseResult(
        name=name,
        verdict=outcome,
        sample=sample,
        points=points if outcome is Outcome.ACCEPTED else 0,
        max_points=points,
        wall_ms=1.4,
        cpu_ms=1.0,
        memory_mib=2.0,
        message=message,
        note="By hand.",
        got={"scores": WRONG} if sample and outcome is Outcome.WRONG_ANSWER else {},
        expected={"scores": RIGHT} if sample else {},
        printed=printed,
        case=SAMPLE if sample else None,
    )


def verdict(
    *cases: CaseResult, diagnosis: Diagnosis | None = None, isolation: str = "bubblewrap"
) -> Verdict:
    """A verdict over these cases."""
    failed = next((c.verdict for c in cases if c.verdict is not Outcome.ACCEPTED), Outcome.ACCEPTED)
    return Verdict(
        problem="scores",
        digest="0" * 64,
        framework=Framework.NUMPY,
        verdict=failed,
        score=sum(c.points for c in cases),
        max_score=sum(c.max_points for c in cases),
        isolation=isolation,
        seed=0,
        cases=cases,
        diagnoses=() if diagnosis is None else (diagnosis,),
        message="",
    )


OK, NO = Outcome.ACCEPTED, Outcome.WRONG_ANSWER
SYNTAX = (
    'line 2: SyntaxError: invalid syntax\n  File "solution.py", line 2\n    return q @* k\n        '
    "      ^"
)
HINT = Diagnosis(
    "no_scale",
    "The scores go into the softmax as they are. What keeps their spread near 1 when D grows?",
    ("two words", "long"),
)
REPORTS = {
    "accepted": verdict(result("two words", OK, sample=True), result("long", OK, points=3)),
    "wrong_with_diagnosis": verdict(
        result("two words", NO, DIFFERS, sample=True),
        result("long", NO, DIFFERS),
        result("one", OK),
        diagnosis=HINT,
    ),
    "wrong_with_prints": verdict(
        result("two words", NO, DIFFERS, sample=True, printed="q is [1. 2.]\nhere\n"),
        result("long", OK),
    ),
    "runtime_error": verdict(
        result(
            "two words",
            Outcome.RUNTIME_ERROR,
            "line 5: ValueError: operands do not fit",
            sample=True,
        ),
        result("long", OK),
    ),
    "time_limit": verdict(
        result("two words", OK, sample=True),
        result("long", Outcome.TIME_LIMIT, "no answer after 10 s; it was still computing"),
    ),
    "memory_limit": verdict(
        result("two words", OK, sample=True),
        result("long", Outcome.MEMORY_LIMIT, "more than 512 MiB of memory (line 9)"),
    ),
    "compile_error": verdict(
        *(
            result(name, Outcome.COMPILE_ERROR, SYNTAX, sample=name == "two words")
            for name in ("two words", "long")
        )
    ),
    "rule_violation": verdict(
        *(
            result(
                n,
                Outcome.RULE_VIOLATION,
                "line 1: torch.softmax is what this exercise asks you to write",
            )
            for n in ("two words", "long")
        )
    ),
    "judge_error": verdict(
        result(
            "long",
            Outcome.JUDGE_ERROR,
            "the judge lost the room; this is not your fault, and nothing is scored",
        ),
        result("one", OK, points=0),
    ),
    "hidden_twin": verdict(
        result("two words", OK, sample=True),
        replace(
            result("long", NO, DIFFERS),
            twin=Twin.FAILS,
            got={"scores": WRONG},
            expected={"scores": RIGHT},
            case=SAMPLE,
        ),
        replace(
            result("one", NO, phrases.SENTENCES[Code.ONLY_HIDDEN]), twin=Twin.PASSES, wall_ms=20.0
        ),
        replace(result("must not say", NO, phrases.BARE[Code.VALUES_DIFFER]), twin=Twin.NONE),
    ),
    "not_sealed": verdict(result("two words", OK, sample=True), isolation="process"),
}


def as_text(found: Verdict, width: int = 80, verbose: bool = False) -> str:
    """The report on a terminal without colours."""
    with open(os.devnull, "w") as nowhere:
        console = Console(width=width, file=nowhere, record=True, highlight=False, emoji=False)
        report.text(found, console, verbose=verbose)
        return "".join(f"{line.rstrip()}\n" for line in console.export_text().splitlines())


@pytest.mark.parametrize("verbose", [False, True], ids=["short", "verbose"])
@pytest.mark.parametrize(("name", "found"), REPORTS.items(), ids=REPORTS.keys())
def test_text(name: str, found: Verdict, verbose: bool) -> None:
    path = (GOLDEN / "verbose" if verbose else GOLDEN) / f"{name}.txt"
    text = as_text(found, verbose=verbose)
    if os.environ.get("GOLDEN") == "write":
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")


@pytest.mark.parametrize("folder", [GOLDEN, GOLDEN / "verbose"], ids=["short", "verbose"])
def test_no_golden_file_is_left_over(folder: Path) -> None:
    assert {path.stem for path in folder.glob("*.txt")} == set(REPORTS)


@pytest.mark.parametrize("verbose", [False, True], ids=["short", "verbose"])
@pytest.mark.parametrize("found", REPORTS.values(), ids=REPORTS.keys())
def test_every_report_fits_its_terminal(found: Verdict, verbose: bool) -> None:
    assert all(
        len(line) <= width
        for width in (60, 80, 100)
        for line in as_text(found, width, verbose).splitlines()
    )


def long(count: int) -> Verdict:
    """A verdict whose every part is as long as it may be: findings, names, hints, remarks."""
    found = [row[0] for row in SENTENCES]
    cases = [
        replace(
            result(f"case {i} {'with a long name ' * 9}", NO, "x" * 999, sample=i == 0),
            findings=(found[i % len(found)], found[(7 * i) % len(found)]),
            printed="printed\n" * 99,
        )
        for i in range(count)
    ]
    names = tuple(case.name for case in cases)
    hints = tuple(Diagnosis(f"mistake_{i}", "A long hint. " * 60, names) for i in range(3))
    first = replace(cases[0], findings=(finding(Code.SYNTAX_ERROR, type="E" * 200, text="t\n" * 50, excerpt="l\n" * 50),))  # fmt: skip
    return replace(verdict(first, *cases[1:]), diagnoses=hints, remarks=tuple(found[:9]))


@pytest.mark.parametrize("width", [40, 80, 100])
@pytest.mark.parametrize("found", [*REPORTS.values(), long(1), long(2), long(26), long(300)])
def test_a_report_fits_on_one_screen(found: Verdict, width: int) -> None:
    lines = as_text(found, width).splitlines()
    assert len(lines) < 24
    words = found.verdict.value.replace("_", " ")
    assert any(line.startswith(("✓ " + words, "✕ " + words)) for line in lines[-4:])


def test_a_finding_of_many_cases_is_told_once() -> None:
    differs = SENTENCES[0][0]
    cases = [replace(result(f"case {i}", NO, DIFFERS), findings=(differs,)) for i in range(26)]
    text = as_text(verdict(*cases, result("right", OK)))
    assert text.count(sentence(differs)[:40]) == 1
    assert "✕ in 26 cases: case 0, case 1, " in text and "✓ passed: right" in text
    assert as_text(verdict(*cases), verbose=True).count(sentence(differs)[:40]) == 26


def test_text_of_a_submission_is_no_markup() -> None:
    text = as_text(
        verdict(result("a", Outcome.RUNTIME_ERROR, "line 1: ValueError: [red]x[/red] :smile: [/]"))
    )
    assert "[red]x[/red] :smile: [/]" in text


def test_a_large_sample_shows_shapes_instead_of_numbers() -> None:
    assert "bool of shape (9, 9)" in as_text(REPORTS["wrong_with_diagnosis"], verbose=True)


@pytest.mark.parametrize("found", REPORTS.values(), ids=REPORTS.keys())
def test_machines_can_read_every_kind(found: Verdict) -> None:
    assert invalid(formats.junit([("scores.py", found)])) == []
    assert Verdict.from_json(json.loads(formats.as_json(found))).to_json() == found.to_json()
    row = json.loads(formats.gradescope(found))
    assert (row["score"], row["extra_data"]["verdict"]) == (found.score, found.to_json())


def test_a_case_that_we_lost_is_an_error_in_junit_not_a_failure() -> None:
    text = formats.junit([("scores.py", REPORTS["judge_error"])])
    assert 'failures="0" errors="1"' in text and '<error type="judge_error"' in text


def test_another_version_of_the_json_is_refused() -> None:
    with pytest.raises(
        ValueError, match=r"^verdict version 3 is newer than 2; update this program$"
    ):
        Verdict.from_json({**REPORTS["accepted"].to_json(), "version": 3})


def test_version_1_of_the_json_is_still_read() -> None:
    new = REPORTS["wrong_with_diagnosis"].to_json()
    cases = [{k: v for k, v in case.items() if k != "findings"} for case in new["cases"]]
    old = Verdict.from_json({**new, "version": 1, "cases": cases})
    assert [case.message for case in old.cases] == [DIFFERS, DIFFERS, ""]
    # its English stands for itself, in any language
    assert report.case_line(old.cases[1], translator(None, "zh")).plain.endswith(f": {DIFFERS}")


def test_a_tensor_never_leaves_as_json() -> None:
    text = formats.as_json(REPORTS["wrong_with_diagnosis"])
    assert "18.38" not in text and "got" not in json.loads(text)["cases"][0]


@pytest.mark.parametrize("outcome", list(Outcome))
def test_words(outcome: Outcome) -> None:
    assert report.ENGLISH.outcome(outcome) == outcome.value.replace("_", " ")


def test_a_message_cannot_look_like_a_line_of_the_report() -> None:
    forged = "ValueError: x\n ✓ every case  1 ms\n✓ accepted  12 of 12 cases"
    lines = report.case_line(result("c", Outcome.RUNTIME_ERROR, forged)).plain.splitlines()
    assert [line for line in lines[1:] if not line.startswith("     ")] == []
