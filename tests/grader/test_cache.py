"""The cache: one computation for all threads that need a value, and a bound on what is kept."""

import threading
from collections.abc import Callable

import pytest

from grader.cache import Cache, others_wait


def together(work: Callable[[], object], count: int = 8) -> list[object]:
    """What `work` returns, or raises, in several threads that start at once."""
    start, ends = threading.Barrier(count), list[object]()

    def run() -> None:
        start.wait(30)
        try:
            ends.append(work())
        except Exception as error:
            ends.append(error)

    threads = [threading.Thread(target=run) for _ in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert len(ends) == count
    return ends


@pytest.mark.parametrize("keep", [True, False])
def test_threads_that_need_one_value_compute_it_once(keep: bool) -> None:
    values, calls, computing = Cache[str, object](), list[int](), threading.Event()

    def compute() -> tuple[object, bool]:
        calls.append(1)
        computing.set()
        threading.Event().wait(0.5)  # long enough for every other thread to ask
        return object(), keep

    ends = together(lambda: values.get("key", compute))
    assert len(calls) == len(set(map(id, ends))) == 1
    assert len(values) == keep


def test_a_failure_is_that_of_one_thread() -> None:
    """The sandbox of one caller may be closed; the next caller brings its own."""
    values, calls = Cache[str, int](), list[int]()

    def compute() -> tuple[int, bool]:
        calls.append(1)
        threading.Event().wait(0.2)
        if len(calls) == 1:
            raise ValueError("the first one fails")
        return 7, True

    ends = together(lambda: values.get("key", compute))
    assert [str(end) for end in ends if isinstance(end, ValueError)] == ["the first one fails"]
    assert [end for end in ends if end == 7] == [7] * 7
    assert len(calls) == 2


def test_the_values_used_last_are_kept() -> None:
    values = Cache[int, int](3)

    def get(key: int) -> int:
        return values.get(key, lambda: (key * 10, True))

    assert [get(key) for key in (1, 2, 3, 1, 4)] == [10, 20, 30, 10, 40]
    assert values.get(1, lambda: (0, True)) == 10
    assert values.get(2, lambda: (0, True)) == 0


def test_many_threads_and_keys_stay_within_the_bound() -> None:
    values = Cache[int, int](4)

    def work() -> int:
        return sum(values.get(key % 16, lambda key=key: (key % 16, True)) for key in range(2000))  # type: ignore[misc]

    assert set(together(work)) == {sum(key % 16 for key in range(2000))}
    assert len(values) == 4


def test_who_computes_is_told_that_others_wait() -> None:
    values, computing, seen = Cache[str, int](), threading.Event(), list[bool]()

    def compute() -> tuple[int, bool]:
        seen.append(others_wait())
        computing.set()
        for _ in range(600):
            if others_wait():
                break
            threading.Event().wait(0.1)
        seen.append(others_wait())
        return 7, True

    first = threading.Thread(target=values.get, args=("key", compute))
    first.start()
    computing.wait(60)
    assert (others_wait(), values.get("key", compute)) == (False, 7)
    first.join(60)
    assert seen == [False, True]
