"""A processor each for judge and container: what is kept, and that it is given back."""

import os
import sys
import threading
from collections.abc import Iterator

import pytest

from grader.inside.kernel import processors
from grader.inside.kernel.processors import NONE, Stay, leave

ALL = os.sched_getaffinity(0)
several = pytest.mark.skipif(len(ALL) < 2, reason="this machine gives one processor")


@pytest.fixture
def stay(monkeypatch: pytest.MonkeyPatch) -> Iterator[Stay]:
    monkeypatch.setattr(processors, "_running", lambda: 1)  # as if no other test were at work
    found = Stay()
    yield found
    found.end()
    assert os.sched_getaffinity(0) == ALL


@several
def test_a_thread_stays_where_it_is_until_the_end(stay: Stay) -> None:
    processor = stay.begin()
    assert processor in ALL and os.sched_getaffinity(0) == {processor}
    assert stay.begin() == processor, "a second program in the same container"
    stay.end()
    assert os.sched_getaffinity(0) == ALL
    stay.end()  # a container is dropped more than once
    assert os.sched_getaffinity(0) == ALL


@several
def test_a_container_that_another_thread_closes(stay: Stay) -> None:
    stay.begin()
    other = threading.Thread(target=stay.end)
    other.start()
    other.join()
    assert os.sched_getaffinity(0) == ALL


@several
def test_nothing_is_kept_while_others_are_at_work(
    stay: Stay, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(processors, "_running", lambda: len(ALL))
    assert stay.begin() == NONE and os.sched_getaffinity(0) == ALL


def test_a_thread_that_is_at_work_is_counted() -> None:
    """The kernel's count of the whole machine; whoever reads it is at work."""
    assert 1 <= processors._running() < sys.maxsize


def test_nothing_is_kept_on_a_machine_with_one_processor(stay: Stay) -> None:
    one = {min(ALL)}
    os.sched_setaffinity(0, one)
    try:
        assert stay.begin() == NONE
        leave(min(ALL))
        assert os.sched_getaffinity(0) == one
    finally:
        os.sched_setaffinity(0, ALL)


@several
def test_who_leaves_a_processor_keeps_the_others() -> None:
    try:
        leave(NONE)
        assert os.sched_getaffinity(0) == ALL
        leave(min(ALL))
        assert os.sched_getaffinity(0) == ALL - {min(ALL)}
    finally:
        os.sched_setaffinity(0, ALL)
