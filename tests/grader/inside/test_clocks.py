"""A child's clocks begin with it, where the kernel has time namespaces and the room a /proc of its
own.
"""

import os
import shutil
import time

import pytest

from grader.model import Ended, Framework
from grader.sandbox import SandboxPool, launchers
from tests.conftest import missing
from tests.grader.sandbox.test_sandbox import once, rooms  # noqa: F401

# clock_gettime(2)
CLOCKS = {"monotonic": 1, "monotonic_raw": 4, "monotonic_coarse": 6, "boottime": 7}
YOUNG_S = 60  # a child waits for its submission no longer than this test for its room
bubblewrap = pytest.mark.parametrize("rooms", ["bubblewrap"], indirect=True, scope="module")


@pytest.fixture(autouse=True)
def namespaces(rooms: SandboxPool) -> None:  # noqa: F811
    program = shutil.which("bwrap")
    if not os.path.exists("/proc/self/ns/time"):
        missing("this kernel has no time namespaces")
    if program is None or not launchers._new_proc(program):
        missing("the room has no /proc of its own here, so clocks stay those of the machine")


@bubblewrap
@pytest.mark.parametrize("clock", CLOCKS.values(), ids=CLOCKS.keys())
@pytest.mark.parametrize("framework", Framework)
def test_no_clock_tells_how_long_the_machine_runs(
    framework: Framework,
    clock: int,
    rooms: SandboxPool,  # noqa: F811
) -> None:
    run = once(rooms, f"import time\nreturn time.clock_gettime({clock})", framework=framework)
    assert run.ended is Ended.RETURNED, run
    seconds = float(run.tensors["answer"].item())
    assert -1 < seconds < YOUNG_S  # the raw clock may lag the one that the offset is taken from
    assert seconds < time.clock_gettime(clock) - 1


@bubblewrap
def test_clocks_go_on_and_the_date_is_right(rooms: SandboxPool) -> None:  # noqa: F811
    body = (
        "import time\nbegan = time.monotonic()\ntime.sleep(0.3)\nreturn np.array([time.monotonic()"
        " - began, time.time()])"
    )
    passed, now = once(rooms, body).tensors["answer"].tolist()
    assert 0.3 <= passed < 30
    assert abs(now - time.time()) < 30
