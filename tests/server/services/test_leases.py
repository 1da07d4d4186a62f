"""What every kind of job must do: docs/design/leases.md, on SQLite and on PostgreSQL."""

import threading
import time
from typing import Any

import pytest

from server.models.leased import Leased, State
from server.services.jobs import leases
from server.services.jobs.kinds import KINDS
from server.services.jobs.leases import Lease
from server.services.jobs.owners import process_name
from server.web.context import NAME, Service
from tests.server.conftest import MakeApp
from tests.server.services.job_queues import PEOPLE, QUEUES, JobQueue, people_of

ME, OTHER = "host:1:aa", "elsewhere:2:bb"


class Site:
    """A queue of one kind, and nobody who works on it."""

    def __init__(self, service: Service, queue: type[JobQueue]) -> None:
        people, admin = people_of(service)
        self.database, self.kind = service.database, queue.kind
        self.queue = queue(service, people, admin)

    def claimed(self, owner: str = ME) -> Lease:
        """Claims a job that is there, at the latest when its delay is over."""
        end = time.monotonic() + 20
        while (found := self.queue.claim(owner)) is None:
            assert time.monotonic() < end, "nothing is due"
            time.sleep(0.01)
        return found

    def row(self, number: int) -> Leased:
        with self.database.read() as session:
            return session.get_one(self.kind.table, number)

    def states(self, numbers: list[int]) -> list[str]:
        return [self.row(number).state for number in numbers]

    def expire(self, lease: Lease) -> None:
        """Lets the time of a lease run out, and runs the sweep of another process."""
        leases.renew(self.database, self.kind, [lease], -1)
        assert leases.reclaim(self.database, self.kind, OTHER) == 1


@pytest.fixture(params=QUEUES, ids=lambda queue: queue.__name__)
def site(request: Any, make_app: MakeApp) -> Site:
    service: Service = make_app(work=False).extensions[NAME]
    return Site(service, request.param)


def test_every_kind_is_tested() -> None:
    assert tuple(queue.kind for queue in QUEUES) == KINDS


def test_a_job_is_done_once(site: Site) -> None:
    (number,) = site.queue.add(0)
    lease = site.claimed()
    assert (lease.id, lease.attempt, site.states([number])) == (number, 1, [State.RUNNING])
    assert site.queue.claim(OTHER) is None
    site.queue.carry_out(lease, works=True)
    row = site.row(number)
    assert (row.state, row.failures, row.lease_owner, row.last_error) == ("done", 0, None, None)
    assert (site.queue.claim(OTHER), site.queue.failing()) == (None, [])
    if site.kind.ended_at is not None:
        assert getattr(row, site.kind.ended_at) is not None


def test_no_two_workers_claim_the_same(site: Site) -> None:
    numbers = [number for person in range(PEOPLE) for number in site.queue.add(person)]
    claimed: list[int] = []
    start = threading.Barrier(4)

    def work(owner: str) -> None:
        start.wait()
        while (lease := site.queue.claim(owner)) is not None:
            claimed.append(lease.id)

    threads = [threading.Thread(target=work, args=(f"host:{i}:x",)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert sorted(claimed) == sorted(numbers)


def test_a_renewed_lease_is_not_reclaimed(site: Site) -> None:
    site.queue.add(0)
    lease = site.claimed()
    leases.renew(site.database, site.kind, [lease], 0.05)
    leases.renew(site.database, site.kind, [lease], 30)
    time.sleep(0.1)
    assert leases.reclaim(site.database, site.kind, OTHER) == 0
    assert site.queue.claim(OTHER) is None


def test_an_expired_lease_is_reclaimed_and_counts_as_a_failure(site: Site) -> None:
    (number,) = site.queue.add(0)
    first = site.claimed()
    site.expire(first)
    assert site.row(number).last_error == leases.LOST_WORKER
    second = site.claimed(OTHER)
    assert (second.id, second.attempt, second.failures) == (number, 2, 1)


@pytest.mark.parametrize(
    ("owner", "reclaimed"),
    [("{host}:4194303:x", 1), ("{host}:{pid}:old", 1), ("elsewhere:4194303:x", 0)],
    ids=["ended", "restarted", "on another host"],
)
def test_the_leases_of_a_process_that_ended_here(site: Site, owner: str, reclaimed: int) -> None:
    site.queue.add(0)
    me = process_name("new")
    host, pid, _ = me.rsplit(":", 2)
    site.claimed(owner.format(host=host, pid=pid))
    assert leases.reclaim(site.database, site.kind, me) == reclaimed


def test_a_late_worker_is_fenced(site: Site) -> None:
    (number,) = site.queue.add(0)
    late = site.claimed()
    site.expire(late)
    second = site.claimed(OTHER)
    for works in (True, False):
        site.queue.carry_out(late, works)
        row = site.row(number)
        assert (row.state, row.attempt, row.lease_owner) == (State.RUNNING, 2, OTHER)
    until = site.row(number).lease_until
    leases.renew(site.database, site.kind, [late], 1000)
    assert site.row(number).lease_until == until
    with site.database.write() as session:
        assert not leases.give_back(session, late, None)
        assert not leases.retry(session, late, "late", 0)
        assert not leases.write(session, late, {"failures": 9})
    site.queue.carry_out(second, works=True)
    site.queue.carry_out(second, works=False)
    row = site.row(number)
    assert (row.state, row.attempt, site.queue.failing()) == (State.DONE, 2, [])


def test_what_is_given_back_waits_at_once_as_it_was(site: Site) -> None:
    (number,) = site.queue.add(0)
    lease = site.claimed()
    with site.database.write() as session:
        assert leases.give_back(session, lease, None)
    row = site.row(number)
    assert (row.state, row.failures, row.lease_owner) == (State.QUEUED, 0, None)
    again = site.queue.claim(OTHER)
    assert again is not None
    assert (again.id, again.attempt) == (number, 2)


def test_retries_wait_longer_each_time(site: Site) -> None:
    (number,) = site.queue.add(0)
    delays = []
    for _ in range(2):
        lease = site.claimed()
        with site.database.write() as session:
            assert leases.retry(session, lease, "out of order", 600)
            due = session.get_one(site.kind.table, number).not_before
            assert due is not None
            delays.append(round((due - leases.clock(session)).total_seconds(), -2))
        assert site.queue.claim(ME) is None
        with site.database.write() as session:
            session.get_one(site.kind.table, number).not_before = None
    assert delays == [600, 1200]


def test_after_its_attempts_it_is_a_dead_letter_that_people_see(site: Site) -> None:
    (number,) = site.queue.add(0)
    attempts = site.kind.attempts or 5
    for count in range(1, attempts + 1):
        lease = site.claimed()
        assert (lease.id, lease.failures) == (number, count - 1)
        site.queue.carry_out(lease, works=False)
    row = site.row(number)
    assert (row.failures, row.last_error) == (attempts, "OSError: out of order")
    assert site.queue.failing() == ["OSError: out of order"]
    # a score is never given up: its learner would lose it
    assert row.state == (State.QUEUED if site.kind.attempts is None else State.DONE)
    with site.database.read() as session:
        dead = session.query(site.kind.table).where(leases.dead_lettered(site.kind)).count()
    assert dead == (0 if site.kind.attempts is None else 1)


def test_what_ends_its_worker_each_time_is_a_dead_letter(site: Site) -> None:
    (number,) = site.queue.add(0)
    attempts = site.kind.attempts or 5
    for _ in range(attempts):
        site.expire(site.claimed())
    lease = site.claimed()
    assert lease.exhausted == (site.kind.attempts is not None)
    site.queue.carry_out(lease, works=True)
    row = site.row(number)
    assert (row.state, row.attempt) == (State.DONE, attempts + 1)
    dead = [] if site.kind.attempts is None else [leases.EXHAUSTED]
    assert site.queue.failing() == dead


@pytest.mark.parametrize(
    ("before", "served", "after", "order"),
    [
        ("aaabbc", 0, "", "abcaba"),
        ("aaa", 1, "b", "aaba"),
        ("aaabbb", 2, "c", "ababcab"),
    ],
    ids=["round-robin", "a newcomer waits for one round", "in the middle of a round"],
)
def test_order_is_fair(site: Site, before: str, served: int, after: str, order: str) -> None:
    people: dict[int, str] = {}
    taken = ""

    def add(script: str) -> None:
        for person in sorted(set(script)):
            numbers = site.queue.add("abc".index(person), script.count(person))
            people.update(dict.fromkeys(numbers, person))

    def serve(count: int) -> str:
        found = ""
        for _ in range(count):
            lease = site.claimed()
            found += people[lease.id]
            with site.database.write() as session:
                assert leases.finish(session, lease, {})
        return found

    add(before)
    taken += serve(served)
    add(after)
    taken += serve(len(before + after) - served)
    assert (taken, site.queue.claim(ME)) == (order, None)


def test_a_retry_keeps_its_round(site: Site) -> None:
    first, second = site.queue.add(0)[0], site.queue.add(1)[0]
    lease = site.claimed()
    with site.database.write() as session:
        assert leases.retry(session, lease, "out of order", 0)
    assert [site.claimed().id, site.claimed().id] == [first, second]
