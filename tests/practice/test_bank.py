"""No item of practice tells something wrong: every one is answered rightly and wrongly.

Here for problems of each kind; `python -m tests.practice.all` does it for the whole bank.
"""

import pytest

from grader.model import Framework
from grader.practice import Step
from grader.sandbox import SandboxPool
from tests.practice.check import check
from tests.shipped import shipped

PROBLEMS = [
    ("causal_mask", Framework.NUMPY, set(Step)),
    ("scaled_dot_product_attention", Framework.NUMPY, set(Step)),
    ("stable_softmax", Framework.TORCH, set(Step)),
    ("attention_module", Framework.TORCH, set(Step)),  # a module
    ("sampling", Framework.NUMPY, set(Step) - {Step.PREDICT}),  # a driver
    ("attention_by_hand", Framework.NUMPY, set(Step)),  # values
]


@pytest.mark.slow
@pytest.mark.parametrize(("slug", "framework", "steps"), PROBLEMS, ids=[p[0] for p in PROBLEMS])
def test_items_are_right(
    slug: str, framework: Framework, steps: set[Step], sandbox: SandboxPool
) -> None:
    report = check(shipped(slug), framework, sandbox)
    assert report.wrong == []
    assert set(report.counts) >= steps
