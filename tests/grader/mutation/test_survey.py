"""What the cases accept is compared on the declared domain: equivalent, or a survivor."""

import dataclasses
import io
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from grader.cli.mutants import count_all
from grader.model import Framework
from grader.mutation import Counts, Mutant, declares_domain, mutants, sample, survey
from grader.mutation.mutants import first_like
from grader.mutation.record import Row, described, read, row, write
from grader.problem import Problem
from grader.sandbox import SandboxPool
from grader.verify import verify
from tests.grader import small

DOMAIN = (
    small.CASES
    + """

def domain(rng):
    for n in (7, 2, 1):
        inputs = {"q": draw(rng, n, 4), "k": draw(rng, n, 4)}
        yield Case(f"{n}", inputs=inputs, options={"scale": -1.0})
"""
)


def changed(problem: Problem, find: str, replace: str) -> Mutant:
    """A mutant made by hand."""
    source = problem.references[Framework.NUMPY]
    assert source.count(find) == 1
    return Mutant("by hand", 5, find, replace, source.replace(find, replace))


@pytest.fixture
def problem(tmp_path: Path) -> Problem:
    return small.problem(tmp_path, cases=DOMAIN)


def counted(problem: Problem, sandbox: SandboxPool, *chosen: Mutant) -> Counts:
    return survey(problem, Framework.NUMPY, sandbox, chosen, draws=1)


def test_a_mutant_is_refused_equivalent_or_a_survivor(
    problem: Problem, sandbox: SandboxPool
) -> None:
    refused = changed(problem, "q @ k.T", "2 * q @ k.T")
    equivalent = changed(problem, "q @ k.T", "(k @ q.T).T")
    survivor = changed(problem, " * scale", " * abs(scale)")
    found = counted(problem, sandbox, refused, equivalent, survivor)
    assert (found.refused, found.equivalent, found.total) == (1, 1, 3)
    assert [each.mutant for each in found.survivors] == [survivor]


def test_the_smallest_input_shows_a_survivor(problem: Problem, sandbox: SandboxPool) -> None:
    (found,) = counted(problem, sandbox, changed(problem, " * scale", " * abs(scale)")).survivors
    assert found.shown_by.case.inputs["q"].shape == (1, 4)
    assert found.shown_by.case.options == {"scale": -1.0}


def test_a_dtype_other_than_float32_is_named(tmp_path: Path, sandbox: SandboxPool) -> None:
    wide = DOMAIN.replace('draw(rng, n, 4), "k"', 'draw(rng, n, 4).astype("f8"), "k"')
    problem = small.problem(tmp_path, cases=wide)
    (found,) = counted(problem, sandbox, changed(problem, " * scale", " * abs(scale)")).survivors
    assert "shown by q float64 [1, 4], k [1, 4], scale" in described(found)


def test_a_program_that_ends_its_container_takes_no_other_with_it(
    problem: Problem, sandbox: SandboxPool
) -> None:
    deadly = changed(problem, "return", "import os; os._exit(1)\n    return")
    right = changed(problem, "q @ k.T", "(k @ q.T).T")
    endless = changed(problem, "return", "x = [0] * 10**9\n    return")
    found = counted(problem, sandbox, deadly, right, endless, right)
    assert (found.refused, found.equivalent) == (2, 2)


def test_without_a_domain_other_draws_are_asked(tmp_path: Path, sandbox: SandboxPool) -> None:
    problem = small.problem(tmp_path)
    assert not declares_domain(problem)
    found = counted(problem, sandbox, changed(problem, " * scale", " * abs(scale)"))
    assert (found.refused, found.equivalent, found.survivors) == (0, 1, ())


def test_verify_reports_a_survivor_of_its_sample(
    problem: Problem, sandbox: SandboxPool, monkeypatch: pytest.MonkeyPatch
) -> None:
    survivor = changed(problem, " * scale", " * abs(scale)")
    monkeypatch.setattr("grader.verify.mutants.sample", lambda *_: [survivor])
    told = [(f.rule, str(f.where), str(f.text)) for f in verify(problem, sandbox).findings]
    assert told == [
        (
            11,
            "reference in numpy",
            "every case accepts a wrong mutant: line 5: ` * scale` → ` * abs(scale)`;"
            " shown by q [1, 4], k [1, 4], scale = -1.0 (8 numbers); add a case that"
            " refuses it, or give the reason in mistakes.toml, under [[survivor]]",
        )
    ]


def test_a_survivor_with_a_reason_is_listed_and_no_finding(
    tmp_path: Path, sandbox: SandboxPool, monkeypatch: pytest.MonkeyPatch
) -> None:
    problem = small.problem(tmp_path, cases=DOMAIN)
    survivor = changed(problem, " * scale", " * abs(scale)")
    reason = f'\n[[survivor]]\nmutants = ["{survivor}"]\nreason = "Nobody scales so."\n'
    problem = small.problem(tmp_path, cases=DOMAIN, mistakes=small.MISTAKES + reason)
    monkeypatch.setattr("grader.verify.mutants.sample", lambda *_: [survivor])
    assert verify(problem, sandbox).findings == []
    (told,) = row(problem, counted(problem, sandbox, survivor)).survivors
    assert told.endswith("(8 numbers). Nobody scales so.")


def test_where_all_mutants_were_judged_no_sample_is(
    problem: Problem, sandbox: SandboxPool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of these very cases, that is, and with the draws of seed 0; what they accepted has a reason."""
    survivor = changed(problem, " * scale", " * abs(scale)")
    monkeypatch.setattr("grader.verify.mutants.sample", lambda *_: [survivor])
    whole = row(problem, counted(problem, sandbox))

    def found(seed: int = 0, **other: Any) -> list[int]:
        rows = [dataclasses.replace(whole, **other)]
        return [f.rule for f in verify(problem, sandbox, seed, counted=rows).findings]

    assert found() == []
    assert found(seed=1) == [11]
    assert found(digest="0" * 12) == [11]
    assert found(out_of=100) == [11]
    assert found(framework="torch") == [11]
    assert found(survivors=("line 5: nobody says why",)) == [11]


def test_verify_reports_a_domain_in_which_the_reference_fails(
    tmp_path: Path, sandbox: SandboxPool
) -> None:
    text = DOMAIN.replace('"k": draw(rng, n, 4)', '"k": draw(rng, n, 3)')
    problem = small.problem(tmp_path, cases=text)
    (finding,) = verify(problem, sandbox).findings
    assert finding.rule == 11 and "ValueError" in str(finding.text)


def test_a_sample_is_the_same_for_a_seed_and_another_for_another(problem: Problem) -> None:
    first, again, other = (sample(problem, Framework.NUMPY, 5, seed) for seed in (0, 0, 1))
    assert first == again != other
    source = problem.references[Framework.NUMPY]
    known = {first_like(mutant, source, Framework.NUMPY) for mutant in first}
    assert len(known) == 5 and known <= set(mutants(source, Framework.NUMPY))


def test_rows_replace_earlier_ones_of_the_same_reference(
    problem: Problem, sandbox: SandboxPool, tmp_path: Path
) -> None:
    path = tmp_path / "mutants.json"
    survivor = changed(problem, " * scale", " * abs(scale)")
    counts = counted(problem, sandbox, survivor)
    old = Row("scores", "numpy", "old", 1, 2, ())
    other = Row("other", "torch", "old", 1, 2, ("a survivor",))
    write(path, [old, other])
    write(path, [row(problem, counts)])
    assert read(path) == [other, row(problem, counts)]
    assert dataclasses.astuple(read(path)[1])[3:5] == (0, 0) and read(path)[1].total == 1


def test_a_row_says_whether_it_is_a_sample(
    problem: Problem, sandbox: SandboxPool, tmp_path: Path
) -> None:
    path = tmp_path / "mutants.json"
    everything = mutants(problem.references[Framework.NUMPY], Framework.NUMPY)
    out = Console(file=io.StringIO())
    count_all([problem], sandbox, 0, 2, path, out)
    assert [(each.total, each.out_of) for each in read(path)] == [(2, len(everything))]
    count_all([problem], sandbox, 0, len(everything) + 1, path, out)
    assert [(each.total, each.out_of) for each in read(path)] == [(len(everything), None)]
    assert "out_of" not in path.read_text(encoding="utf-8")
    count_all([problem], sandbox, 0, 2, path, out)  # takes no whole count away
    assert [(each.total, each.out_of) for each in read(path)] == [(len(everything), None)]
