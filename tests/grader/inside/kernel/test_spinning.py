"""Waiting a moment without sleep: how often it is tried when it is in vain."""

import os
import select
from collections.abc import Iterator

import pytest

from grader.inside.kernel.spinning import MOST_IN_VAIN, Spin


class Counted:
    """A poll that counts how often it was asked since it was last looked at."""

    def __init__(self, descriptor: int) -> None:
        self._poll, self._asked = select.poll(), 0
        self._poll.register(descriptor, select.POLLIN)

    def poll(self, timeout: float, /) -> list[tuple[int, int]]:
        assert timeout == 0, "it must not sleep"
        self._asked += 1
        return self._poll.poll(timeout)

    def asked(self) -> int:
        count, self._asked = self._asked, 0
        return count


@pytest.fixture
def pipe() -> Iterator[tuple[Counted, int]]:
    read, write = os.pipe()
    yield Counted(read), write
    os.close(read)
    os.close(write)


def idle_waits(spin: Spin, poll: Counted) -> list[bool]:
    """Of so many waits in vain, which ones looked at all."""
    looked = []
    for _ in range(2 ** (MOST_IN_VAIN + 1)):
        spin.wait(poll)
        looked.append(poll.asked() > 0)
    return looked


def test_what_is_ready_is_seen_at_the_first_look(pipe: tuple[Counted, int]) -> None:
    poll, write = pipe
    os.write(write, b"x")
    spin = Spin()
    for _ in range(3):
        spin.wait(poll)
        assert poll.asked() == 1


def test_in_vain_it_looks_often_then_seldom(pipe: tuple[Counted, int]) -> None:
    poll, _ = pipe
    spin = Spin()
    looked = [i for i, each in enumerate(idle_waits(spin, poll)) if each]
    assert looked == [0, 2, 6, 14, 30, 62]


def test_once_it_was_not_in_vain_it_looks_each_time_again(pipe: tuple[Counted, int]) -> None:
    poll, write = pipe
    spin = Spin()
    idle_waits(spin, poll)
    os.write(write, b"x")
    waits = 0
    while not poll.asked():
        spin.wait(poll)
        waits += 1
        assert waits <= 2**MOST_IN_VAIN
    spin.wait(poll)
    assert poll.asked() == 1
