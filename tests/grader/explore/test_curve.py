"""Time and memory over the length of the inputs: what grows, how far, and with which exponent."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest

from grader.answers import answers_for
from grader.case import Case
from grader.explore import curve as curves
from grader.explore.curve import State, attention_widths, curve, exponent
from grader.explore.growth import growth
from grader.explore.public import public_cases
from grader.model import Ended, Framework, Phase, Run, Submission
from grader.problem import Problem
from grader.sandbox import Job, SandboxPool
from tests.shipped import shipped

NUMPY = Framework.NUMPY

GROWING = {
    "scaled_dot_product_attention": (("L", "S"), {"q": -2, "k": -2, "v": -2}),
    "self_attention": (("n",), {"x": -2}),
    "stable_softmax": (("...1",), {"x": -1}),
    "layer_norm": (("...1",), {"x": -2}),
    "padding_mask": (("S",), {"tokens": -1}),
}


@pytest.mark.parametrize("slug", GROWING)
def test_the_axis_of_the_sequence_grows_and_nothing_else(slug: str, sandbox: SandboxPool) -> None:
    problem = shipped(slug)
    letters, axes = GROWING[slug]
    found = growth(problem, public_cases(problem, NUMPY, sandbox))
    assert found is not None and found.letters == letters
    large = found.to(1000)
    for name, array in found.case.inputs.items():
        shape = list(array.shape)
        if name in axes:
            shape[axes[name]] = 1000
        assert large.inputs[name].shape == tuple(shape)
        assert large.inputs[name].dtype == array.dtype


def test_an_argument_that_is_the_length_of_a_result_grows(sandbox: SandboxPool) -> None:
    problem = shipped("sliding_window_mask")
    found = growth(problem, public_cases(problem, NUMPY, sandbox))
    assert found is not None and found.lengths == ("options.n",)
    large = found.to(512)
    assert large.options == {**found.case.options, "n": 512}


@pytest.mark.parametrize("slug", ["attention_by_hand", "paged_attention", "attention_cost"])
def test_without_a_sequence_nothing_is_measured(slug: str, sandbox: SandboxPool) -> None:
    problem = shipped(slug)
    framework = problem.frameworks[0]
    source = problem.references[framework]
    found = curve(problem, Submission(framework, source), sandbox)
    assert (found.state, found.lines) == (State.NO_LENGTH, ())


POWERS = (
    ("a square", [(n, 3.0 * n**2) for n in (64, 128, 256, 512, 1024)], 2.0),
    ("a line, after what each call costs", [(64, 1.0), (128, 1.0), (256, 2.0), (512, 4.0), (1024, 8.0), (2048, 16.0)], 1.0),
    ("too few", [(64, 1.0), (128, 8.0)], None),
    ("too little", [(64, 1.0), (128, 1.1), (256, 1.2), (512, 3.9)], None),
    ("nothing", [], None),
)  # fmt: skip


@pytest.mark.parametrize(
    ("points", "power"), [row[1:] for row in POWERS], ids=[row[0] for row in POWERS]
)
def test_the_exponent_is_the_slope_of_the_last_points(
    points: Sequence[tuple[int, float]], power: float | None
) -> None:
    assert exponent(points) == power


@dataclass
class Timed:
    """A sandbox in which a call takes what its source says, by length."""

    rooms: SandboxPool
    limit: int = 1 << 30
    ended: Ended = Ended.MEMORY
    asked: list[Job] = field(default_factory=list)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.rooms, name)

    def run(self, job: Job) -> Iterator[Run]:
        """The first call meets a cold container; answers are computed in the real room."""
        if job.cases[0].name != "0":
            yield from self.rooms.run(job)
            return
        self.asked.append(job)
        for number, case in enumerate(job.cases):
            n = case.inputs["q"].shape[-2]
            power = int(job.source.rpartition("**")[2] or 2) if "**" in job.source else 2
            ended = Ended.RETURNED if n <= self.limit else self.ended
            spent = n**power / 1e6 * (3 if number == 0 else 1)
            yield Run(
                case.name, ended, phase=Phase.CALL, cpu_ms=spent, resident_mib=n**power / 2**20
            )


def attention() -> Problem:
    return shipped("scaled_dot_product_attention")


ENDS = (
    ("the longest call is the last", 1 << 30, Ended.MEMORY, "time", 32768),
    ("memory", 4096, Ended.MEMORY, "memory", 4096),
    ("an exception", 512, Ended.RAISED, "error", 512),
    ("a result too large", 1024, Ended.OUTPUT, "output", 1024),
    ("too slow", 256, Ended.WALL_TIME, "time", 256),
)


@pytest.mark.parametrize(
    ("limit", "ended", "stopped", "last"), [row[1:] for row in ENDS], ids=[row[0] for row in ENDS]
)
def test_a_line_ends_at_the_first_limit(
    limit: int, ended: Ended, stopped: str, last: int, sandbox: SandboxPool
) -> None:
    rooms = Timed(sandbox, limit, ended)
    linear = shipped("linear_attention")
    found = curve(attention(), Submission(NUMPY, "n**2"), rooms, linear)  # type: ignore[arg-type]
    yours = found.lines[0]
    assert (yours.stopped, yours.points[-1].size) == (stopped, last)
    assert yours.time_exponent == 2.0  # of the quicker calls, not of the first
    assert found.costs is not None and found.costs.weights_bytes == last**2 * 4
    json.dumps(found.to_json())


def test_what_never_returns_is_not_measured(sandbox: SandboxPool) -> None:
    rooms = Timed(sandbox, 1, Ended.DIED)
    found = curve(attention(), Submission(NUMPY, "n**2"), rooms)  # type: ignore[arg-type]
    assert (found.state, found.lines[0].points) == (State.NOT_MEASURED, ())


def test_hidden_inputs_are_never_measured(sandbox: SandboxPool) -> None:
    rooms, problem = Timed(sandbox, 64), attention()
    curve(problem, Submission(NUMPY, "n**2"), rooms, shipped("linear_attention"))  # type: ignore[arg-type]
    twins = [a.case.inputs["q"] for a in answers_for(problem, NUMPY, sandbox).twins.values()]
    public = {row.tobytes() for q in twins for row in q.reshape(-1, q.shape[-1])}
    q = rooms.asked[0].cases[0].inputs["q"]
    assert {row.tobytes() for row in q.reshape(-1, q.shape[-1])} <= public


def test_attention_and_linear_attention_in_the_room(
    sandbox: SandboxPool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Memory is what a busy machine does not change."""
    monkeypatch.setattr(curves, "SECONDS", 60.0)
    monkeypatch.setattr(curves, "LONGEST_MS", 5_000.0)
    monkeypatch.setattr(curves, "FIRST", 1024)
    monkeypatch.setattr(curves, "LAST", 4096)
    problem, linear = attention(), shipped("linear_attention")
    source = problem.references[NUMPY]
    found = curve(problem, Submission(NUMPY, source), sandbox, linear)
    assert [line.name for line in found.lines] == ["yours", "reference", "linear_attention"]
    power = found.lines[0].memory_exponent
    assert power is not None and 1.6 < power < 2.6
    assert found.lines[0].points[-1].memory_mib > 64 > found.lines[2].points[-1].memory_mib


def test_widths_are_those_of_attention_alone() -> None:
    import numpy as np

    q, v = np.zeros((2, 3, 5, 8)), np.zeros((2, 3, 5, 7))
    assert attention_widths(Case("a", inputs={"q": q, "k": q, "v": v})) == (6, 8, 7)
    assert attention_widths(Case("b", inputs={"x": q})) is None


@pytest.mark.parametrize(
    ("made", "least", "most"), [("ones", 95, 110), ("empty", 0, 5)], ids=["used", "reserved only"]
)
def test_memory_counts_when_it_is_used(
    made: str, least: float, most: float, sandbox: SandboxPool
) -> None:
    problem = attention()
    public = public_cases(problem, NUMPY, sandbox)
    source = f"""import numpy as np
def scaled_dot_product_attention(q, k, v, scale=None):
    kept = np.{made}(100 << 17)
    return v, v
"""
    job = Job(source, NUMPY, problem.kind, problem.entries, (public[0].case,), problem.limits)
    (run,) = sandbox.run(job)
    assert run.ended is Ended.RETURNED
    assert least <= run.resident_mib <= most
    assert run.memory_mib > 95  # the limit counts what is reserved
