"""The counts of the rate limits, in the memory of a process."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from limits import parse
from limits.storage import storage_from_string
from limits.strategies import FixedWindowRateLimiter

from server.web.serving import counters
from server.web.serving.counters import Counters, address


class Time:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.moment = 1000.0

    def time(self) -> float:
        return self.moment


@pytest.fixture
def time(monkeypatch: pytest.MonkeyPatch) -> Time:
    clock = Time()
    monkeypatch.setattr(counters, "time", clock)
    return clock


def test_a_window_begins_with_the_first_and_ends_for_all(time: Time) -> None:
    counts = Counters()
    assert [counts.incr("a", 60), counts.incr("b", 60, 3)] == [1, 3]
    time.moment += 59
    assert (counts.incr("a", 60), counts.get("b"), counts.get_expiry("a")) == (2, 3, 1060.0)
    time.moment += 1
    assert (counts.get("a"), counts.get_expiry("a")) == (0, 1060.0)
    assert (counts.incr("a", 60), counts.get_expiry("a")) == (1, 1120.0)


def test_what_has_expired_is_forgotten(time: Time) -> None:
    counts = Counters()
    for i in range(1000):
        counts.incr(f"address {i}", 10)
    time.moment += counters.SWEEP_S
    counts.incr("last", 10)
    assert counts.reset() == 1


def test_one_is_cleared_and_the_others_are_not() -> None:
    counts = Counters()
    counts.incr("a", 60)
    counts.incr("b", 60)
    counts.clear("a")
    assert (counts.get("a"), counts.get("b")) == (0, 1)


def test_a_limit_lets_through_as_many_as_it_says(time: Time) -> None:
    storage = storage_from_string(address("memory://"))
    assert isinstance(storage, Counters)
    limiter, limit = FixedWindowRateLimiter(storage), parse("3/minute")
    assert [limiter.hit(limit, "somebody") for _ in range(4)] == [True, True, True, False]
    assert limiter.hit(limit, "another")
    assert limiter.get_window_stats(limit, "somebody") == (1060.0, 0)
    time.moment += 60
    assert limiter.hit(limit, "somebody")


def test_threads_lose_no_count_and_none_is_started() -> None:
    counts, before = Counters(), threading.active_count()
    with ThreadPoolExecutor(8) as pool:
        seen = list(pool.map(lambda _: counts.incr("all", 600), range(4000)))
    assert sorted(seen) == list(range(1, 4001))
    assert threading.active_count() == before


@pytest.mark.parametrize("url", ["redis://cache:6379/1", "redis+sentinel://a:1/x"])
def test_another_storage_is_left_as_it_is(url: str) -> None:
    assert address(url) == url
