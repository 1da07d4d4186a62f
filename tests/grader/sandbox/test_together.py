"""Cases that are sent all at once give what they give one by one."""

from dataclasses import replace

import numpy as np
import pytest

from grader.case import Case
from grader.model import Ended, Run
from grader.sandbox import Job, SandboxPool
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


def both(sandbox: SandboxPool, body: str) -> tuple[list[Run], list[Run]]:
    each = of(body)
    return list(sandbox.run(replace(each, together=True))), list(sandbox.run(each))


@pytest.mark.parametrize(
    "body",
    [
        "return x * 2 + i",
        "return x * np.random.rand()",
        "if i % 2:\n    raise ValueError(f'no {i}')\nreturn x",
        "return np.ones((512, 1024)) if i == 3 else x",  # more than is taken of cases together
        "print('hello', i)\nreturn x",
        "if i == 2:\n    os._exit(3)\nreturn x",
        "if i == 4:\n    os.write(3, b'forged')\nreturn x",
        "import sys as solution\nreturn None",
        f"return {GREEDY}.sum() if i == 1 else x",
        "if i == 5:\n    os.close(3)\nreturn x",
    ],
)
def test_the_runs_are_the_same(sandbox: SandboxPool, body: str) -> None:
    together, apart = both(sandbox, body)
    assert [plain(run) for run in together] == [plain(run) for run in apart]


def test_ordinary_cases_take_one_child(
    sandbox: SandboxPool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The way that is meant is the way that is taken: nothing is asked again."""
    asked = []
    ask = SandboxPool._answer
    monkeypatch.setattr(
        SandboxPool, "_answer", lambda self, *args: asked.append(1) or ask(self, *args)
    )
    runs = list(sandbox.run(replace(of("return x + i"), together=True)))
    assert not asked
    assert [run.ended for run in runs] == [Ended.RETURNED] * COUNT


def test_a_case_with_its_own_memory_is_asked_alone(sandbox: SandboxPool) -> None:
    cases = (*CASES[:2], replace(CASES[2], memory_mib=512))
    wide = replace(of("return x + i"), cases=cases, together=True)
    assert [run.ended for run in sandbox.run(wide)] == [Ended.RETURNED] * 3
