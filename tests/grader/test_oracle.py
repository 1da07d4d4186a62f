"""Nothing that a verdict says depends on a hidden value: two installations say the same, and
nothing can be read from one.
"""

import json
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from grader import storage
from grader.answers import Answer, answers_for, lookup, public_answers
from grader.diagnosis import fingerprints
from grader.judge import judge
from grader.model import Framework, Submission, Verdict
from grader.problem import Problem
from grader.sandbox import SandboxPool
from tests.grader.oracles import Guesser, Reader, asks_for_a_result, leaks
from tests.shipped import shipped

MEASURED = ("wall_ms", "cpu_ms", "memory_mib")
ENTRIES = {
    "additive_mask": "self_attention_with_mask",
    "self_attention": "self_attention",
}


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[int], None]]:
    """Become another installation: another secret, so other hidden inputs."""

    def become(number: int) -> None:
        monkeypatch.setattr(storage, "_SECRET", bytes([number]) * storage.LENGTH)
        lookup._answers.clear()

    yield become
    lookup._answers.clear()


def said(verdict: Verdict) -> str:
    """All that is said, without what was measured; that is told in steps."""
    data = verdict.to_json()
    for case in data["cases"]:
        wall, cpu, memory = (case.pop(name) for name in MEASURED)
        if not case["sample"]:
            assert (wall % 10, cpu % 10, memory % 1) == (0, 0, 0)
    return json.dumps(data)


def sources(problem: Problem) -> list[tuple[str, str]]:
    """Every known mistake, and every leak."""
    known = [
        (m.name, m.sources[Framework.NUMPY])
        for m in problem.mistakes
        if Framework.NUMPY in m.sources
    ]
    return [*known, *leaks(problem.entries[0].name)]


@pytest.mark.parametrize("slug", ENTRIES)
def test_two_installations_say_the_same(
    slug: str, sandbox: SandboxPool, installed: Callable[[int], None]
) -> None:
    """Whatever fails on both says the same words on both, whatever the hidden inputs are."""
    problem = shipped(slug)
    told: list[dict[str, str]] = []
    for number in (1, 2):
        installed(number)
        told.append(
            {
                name: said(judge(problem, Submission(Framework.NUMPY, text), sandbox))
                for name, text in sources(problem)
            }
        )
    for name, words in told[0].items():
        assert told[1][name] == words, f"{slug}: {name}"
    assert len(told[0]) >= 100


def test_the_two_installations_have_other_hidden_inputs_and_the_same_public_ones(
    sandbox: SandboxPool, installed: Callable[[int], None]
) -> None:
    problem = shipped("additive_mask")
    drawn = []
    for number in (1, 2):
        installed(number)
        found = answers_for(problem, Framework.NUMPY, sandbox)
        drawn.append(
            (
                found.cases[5].case.inputs["x"],
                found.twins[found.cases[5].case.name].case.inputs["x"],
            )
        )
    assert not np.array_equal(drawn[0][0], drawn[1][0])
    assert np.array_equal(drawn[0][1], drawn[1][1])
    assert not np.array_equal(drawn[0][0], drawn[0][1])


def submit_to(problem: Problem, sandbox: SandboxPool) -> Callable[[str], dict[str, Any]]:
    """What the API answers, as it is stored."""
    return lambda source: json.loads(
        json.dumps(judge(problem, Submission(Framework.NUMPY, source), sandbox).to_json())
    )


def test_expected_values_cannot_be_read_from_messages(sandbox: SandboxPool) -> None:
    """What is said of a hidden case is true of its public twin, so its values can be read and help
    nobody. Once such a program was accepted in `additive_mask` after 301 submissions.
    """
    problem = shipped("additive_mask")
    public = public_answers(problem, Framework.NUMPY, sandbox)
    submit = submit_to(problem, sandbox)
    reader = Reader.of(submit, "self_attention_with_mask", public, most_entries=30)
    found = reader.attack(most=150)
    assert found["verdict"] != "accepted"
    passed = {case["name"] for case in found["cases"] if case["verdict"] == "accepted"}
    assert passed & {a.case.name for a in public if asks_for_a_result(a)} == set()
    assert len(read_exactly(reader, public)) >= 8


def read_exactly(reader: Reader, public: list[Answer]) -> set[str]:
    """The cases all of whose public values the reader knows."""
    by_name = {answer.case.name: answer for answer in public}
    return {
        name
        for key, name in reader.names.items()
        if all(
            np.allclose(known, e.values.ravel(), rtol=1e-5, atol=1e-6)
            for known, e in zip(reader.known[key], by_name[name].expected.values(), strict=True)
        )
    }


def test_numbers_by_hand_cannot_be_guessed(sandbox: SandboxPool) -> None:
    """Once nine submissions were enough for `attention_by_hand`."""
    problem = shipped("attention_by_hand")
    public = public_answers(problem, Framework.NUMPY, sandbox)
    tables = {
        name: e.values.shape for a in public if not a.case.options for name, e in a.expected.items()
    }
    guesser = Guesser(submit_to(problem, sandbox), tables)
    found = guesser.attack(most=400)
    assert guesser.spent > 100
    assert found["verdict"] != "accepted"


def test_hints_tell_nothing_of_hidden_values(
    sandbox: SandboxPool, installed: Callable[[int], None]
) -> None:
    """The known mistakes of a problem are run on what is public, whatever the installation."""
    problem = shipped("additive_mask")
    seen = []
    for number in (1, 2):
        installed(number)
        fingerprints._runs.clear()
        found = answers_for(problem, Framework.NUMPY, sandbox)
        runs = fingerprints.mistake_runs(problem, found, sandbox)
        fixed = {a.case.name for a in found.cases} - set(found.twins)
        seen.append(
            {
                (m, c): r.run.tensors["output"].tobytes()
                for m, rs in runs.items()
                for c, r in rs.items()
                if "output" in r.run.tensors and c not in fixed
            }
        )
    assert seen[0] == seen[1] and len(seen[0]) > 50
