"""Each fault once, with a lease of 5 seconds: nothing lost, nothing doubled, the same verdicts as
undisturbed, and nobody charged.
"""

import os
import random
import shutil
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from grader.sandbox import SandboxPool
from tests.conftest import missing

pytest.importorskip("celery", reason="the group `scale` is not installed")

from tests.scaled.chaos import MOST_S, broken_stack, disturb
from tests.scaled.faults import FAULTS
from tests.scaled.stack import Stack

ROOT = os.getuid() == 0
SEED = os.environ.get("CHAOS_SEED", "1")


@pytest.fixture(scope="module")
def running(sandbox: SandboxPool) -> Iterator[tuple[Stack, list[str], list[Any]]]:
    """One service for all faults: each finds it mended."""
    for program in ("faketime", "ip"):
        if shutil.which(program) is None:
            missing(f"{program} is not installed (sh scripts/test-services.sh installs it)")
    with broken_stack(ROOT, JUDGE_LEASE="5", JUDGE_SWEEP="1", JUDGE_RETRY="0.5") as found:
        yield found


@pytest.mark.parametrize("name", FAULTS)
def test_nothing_is_lost(
    name: str,
    running: tuple[Stack, list[str], list[Any]],
    record_property: Callable[[str, object], None],
) -> None:
    fault = FAULTS[name]
    if fault.root and not ROOT:
        missing(f"{name}: needs root")
    stack, texts, undisturbed = running
    stack.ready(2)
    outcome = disturb(stack, name, random.Random(f"{SEED} {name}"), texts, undisturbed)
    record_property("chaos", outcome.line())
    assert outcome.wrong == (), stack.logs()
    assert outcome.sent >= 3
    assert outcome.all_s <= MOST_S
