"""Which tests are quick, and how all of them are spread over the workers of pytest-xdist: what stays
together, in which order.

A file stays on one worker, since its fixtures start servers and rooms. What is asked of each
problem of the bank is cut by problem instead: no file is so long that one worker ends with it
alone, and a problem's answers stay in the memory of the worker that computed them.
"""

import re

import pytest
from xdist.scheduler import LoadScopeScheduling
from xdist.workermanage import WorkerController

from grader.problem import slugs
from tests import ROOT

SLUGS = frozenset(slugs(ROOT))
# A quick test starts no room, no service and no program: it is under one of these, has none of these
# fixtures, and is not marked as slow.
QUICK = (
    "tests/grader/",
    "tests/bank/",
    "tests/server/",
    "tests/test_docs.py",
    "tests/test_imports.py",
)
STARTING = frozenset(
    ["sandbox", "rooms", "room", "cluster", "make_app", "site", "world", "environment", "marking"]
)
BY_PROBLEM = (
    "tests/bank/",
    "tests/grader/cli/test_twin.py",
    "tests/grader/cli/test_statement.py",
)
BY_TEST = ("tests/grader/test_oracle.py",)
# The longest come first.
FIRST = (
    "tests/scaled/test_chaos.py",
    "tests/attacks/test_attacks.py",
    "tests/scaled/",
    "tests/browser/",
    "tests/attacks/",
    "tests/grader/sandbox/",
    "tests/grader/test_oracle.py",
    "tests/server/test_",
    "tests/server/services/",
    "tests/server/",
    "tests/bank/",
)
# Much of these tests' time is waiting. Every second worker begins with the others, so that
# something computes meanwhile.
WAITING = ("tests/scaled/", "tests/attacks/", "tests/browser/")


def is_quick(item: pytest.Item) -> bool:
    """Checks that a test belongs to `make test-quick`."""
    starts = STARTING.intersection(getattr(item, "fixturenames", ()))
    return item.nodeid.startswith(QUICK) and not starts and not item.get_closest_marker("slow")


def group(nodeid: str) -> str:
    """The name of the group that a test belongs to: one worker runs all of it."""
    file, _, test = nodeid.partition("::")
    if file.startswith(BY_TEST):
        return nodeid
    if file.startswith(BY_PROBLEM):
        slug = next((word for word in re.split(r"[][-]", test) if word in SLUGS), "")
        return f"the problem {slug}" if slug else file
    return file


def place(nodeid: str) -> int:
    """Where a test stands in the queue."""
    return next((i for i, start in enumerate(FIRST) if nodeid.startswith(start)), len(FIRST))


def in_order(items: list[pytest.Item]) -> list[pytest.Item]:
    """The tests with the longest groups first; the tests of a group stay in their own order."""
    first: dict[str, int] = {}
    for item in items:
        name = group(item.nodeid)
        first[name] = min(place(item.nodeid), first.get(name, len(FIRST)))
    return sorted(items, key=lambda item: first[group(item.nodeid)])


class Groups(LoadScopeScheduling):
    """Gives a free worker the next group that suits it, or any other once none is left."""

    def _split_scope(self, nodeid: str) -> str:
        return group(nodeid)

    def _assign_work_unit(self, node: WorkerController) -> None:
        waits = int(node.gateway.id.removeprefix("gw")) % 2 == 0
        suits = (name for name in self.workqueue if name.startswith(WAITING) == waits)
        if name := next(suits, ""):
            self.workqueue.move_to_end(name, last=False)
        super()._assign_work_unit(node)
