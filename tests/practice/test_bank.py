"""No item of practice tells something wrong: every one is answered rightly and wrongly.

Here for problems of each kind; `python -m tests.practice.all` does it for the whole bank.
"""

import re

import pytest

from grader.explore.complaints import InputError
from grader.explore.own_input import example
from grader.model import Framework
from grader.practice import Step
from grader.practice.making import items
from grader.sandbox import SandboxPool
from tests.conftest import SLUGS
from tests.practice.check import check
from tests.shipped import shipped

PROBLEMS = [
    ("causal_mask", Framework.NUMPY, set(Step)),
    ("scaled_dot_product_attention", Framework.NUMPY, set(Step)),
    ("stable_softmax", Framework.TORCH, set(Step)),
    ("attention_module", Framework.TORCH, set(Step)),  # a module
    ("kv_cache_window", Framework.NUMPY, set(Step)),  # a driver and calls that follow each other
    ("int8_cache", Framework.NUMPY, set(Step)),  # a driver, and calls without it
    ("sampling", Framework.NUMPY, set(Step) - {Step.PREDICT}),  # a driver
    ("attention_by_hand", Framework.NUMPY, {Step.PREDICT}),  # values
]

# Problems without inputs of one's own, and so without mistakes to beat: docs/design/practice.md
NO_INPUTS = {"attention_by_hand", "gpt_forward", "online_softmax", "training_step"}


@pytest.mark.slow
@pytest.mark.parametrize("slug", SLUGS)
def test_inputs_can_be_written(slug: str, sandbox: SandboxPool) -> None:
    problem = shipped(slug)
    if slug not in NO_INPUTS:
        assert example(problem, problem.frameworks[0], sandbox)
        return
    with pytest.raises(InputError):
        example(problem, problem.frameworks[0], sandbox)


@pytest.mark.slow
@pytest.mark.parametrize(("slug", "framework", "steps"), PROBLEMS, ids=[p[0] for p in PROBLEMS])
def test_items_are_right(
    slug: str, framework: Framework, steps: set[Step], sandbox: SandboxPool
) -> None:
    report = check(shipped(slug), framework, sandbox)
    assert report.wrong == []
    assert set(report.counts) >= steps


@pytest.mark.slow
def test_practice_does_not_give_away_the_numbers_that_are_asked_for(sandbox: SandboxPool) -> None:
    problem = shipped("attention_by_hand")
    shown = "".join(map(str, items(problem, Framework.NUMPY, sandbox)))
    numbers = re.findall(r"\d+\.\d{3,}", problem.references[Framework.NUMPY])
    assert len(numbers) >= 15 and not any(number in shown for number in numbers)
