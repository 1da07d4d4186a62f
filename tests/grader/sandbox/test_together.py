"""Cases that are sent all at once give what they give one by one, or nothing."""

from dataclasses import replace

import numpy as np
import pytest

from grader.case import Case
from grader.model import Run
from grader.sandbox import Job, SandboxPool, Unusual
from tests.grader.sandbox.test_sandbox import job

COUNT = 6
CASES = tuple(
    Case(f"case {i}", inputs={"x": np.full((2, 3), i, np.float32)}, options={"i": i})
    for i in range(COUNT)
)
GREEDY = "np.ones((60, 1 << 20))"  # 480 of 256 MiB


def of(body: str) -> Job:
    return job("    " + body.replace("\n", "\n    "), CASES, params=("x", "i"))


def plain(run: Run) -> tuple[object, ...]:
    tensors = {name: tensor.tolist() for name, tensor in run.tensors.items()}
    return run.case, run.ended, tensors, dict(run.dtypes), run.error, run.printed


def together(sandbox: SandboxPool, each: Job) -> list[Run] | None:
    """The runs; None where they have to be run one by one."""
    try:
        return list(sandbox.run_together(each))
    except Unusual:
        return None


@pytest.mark.parametrize(
    "body",
    [
        "return x * 2 + i",
        "return x * np.random.rand()",
        "if i % 2:\n    raise ValueError(f'no {i}')\nreturn x",
        "return None",
        "return np.ones((100, 100)) * x.sum()",
    ],
)
def test_the_runs_are_the_same(sandbox: SandboxPool, body: str) -> None:
    found = together(sandbox, of(body))
    assert found is not None
    assert [plain(run) for run in found] == [plain(run) for run in sandbox.run(of(body))]


@pytest.mark.parametrize(
    "body",
    [
        "return np.ones((512, 1024)) if i == 3 else x",  # more than is taken of cases together
        "print('hello', i)\nreturn x",
        "if i == 2:\n    os._exit(3)\nreturn x",
        "if i == 4:\n    os.write(3, b'forged')\nreturn x",
        "os.write(3, bytes(12))\nreturn x",
        f"return {GREEDY}.sum() if i == 1 else x",
        "if i == 5:\n    os.close(3)\nreturn x",
        "while i == 5:\n    pass\nreturn x",
        "raise MemoryError",
    ],
)
def test_any_other_end_has_to_be_seen_one_by_one(sandbox: SandboxPool, body: str) -> None:
    assert together(sandbox, of(body)) is None


def test_a_case_with_its_own_memory_is_asked_alone(sandbox: SandboxPool) -> None:
    cases = (*CASES[:2], replace(CASES[2], memory_mib=512))
    assert together(sandbox, replace(of("return x + i"), cases=cases)) is None


def test_what_is_not_loaded_is_not_asked(sandbox: SandboxPool) -> None:
    assert together(sandbox, replace(of("return x"), source="1 +")) is None
