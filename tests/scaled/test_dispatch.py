"""The messages between machines, against a real Redis and a real PostgreSQL."""

import base64
import contextlib
import json
import socket
import threading
import time
from collections.abc import Iterator

import pytest

pytest.importorskip("celery", reason="the group `scale` is not installed")

import redis
from sqlalchemy import text

from server.models.database import RESTED_S, open_database
from server.services.jobs.kinds import SUBMISSIONS
from server.services.waking.hub import Hub
from server.services.waking.listen import listen
from server.settings import Settings
from server.worker.dispatch import QUEUE, CeleryQueue, celery
from tests.scaled.services import Postgres, Redis, free_port


@pytest.fixture(scope="module")
def broker() -> Iterator[Redis]:
    with contextlib.closing(Redis()) as running:
        yield running


@pytest.fixture
def queue(broker: Redis) -> CeleryQueue:
    with contextlib.closing(redis.Redis.from_url(broker.url())) as client:
        client.flushall()
    return CeleryQueue(Settings(broker_url=broker.url()))


def test_a_message_carries_the_number_and_nothing_else(queue: CeleryQueue, broker: Redis) -> None:
    queue.put(17)
    with contextlib.closing(redis.Redis.from_url(broker.url())) as client:
        (message,) = client.lrange(QUEUE, 0, -1)
    args, kwargs, _ = json.loads(base64.b64decode(json.loads(message)["body"]))
    assert (args, kwargs) == ([17], {})


def test_late_acknowledgement(broker: Redis) -> None:
    conf = celery(Settings(broker_url=broker.url()), 1, {}).conf
    found = (
        conf.task_acks_late,
        conf.task_reject_on_worker_lost,
        conf.worker_prefetch_multiplier,
        conf.accept_content,
    )
    assert found == (True, True, 1, ["json"])


@pytest.mark.parametrize(
    ("waiting", "due", "depth"), [(0, [4, 5], 2), (2, [4, 5, 6], 3), (3, [4], 3), (1, [], 1)]
)
def test_remind_sends_what_is_missing(
    queue: CeleryQueue, waiting: int, due: list[int], depth: int
) -> None:
    for number in range(waiting):
        queue.put(number)
    queue.remind(due)
    assert queue.depth() == depth


def test_without_redis_nothing_is_raised(caplog: pytest.LogCaptureFixture) -> None:
    queue = CeleryQueue(Settings(broker_url=f"redis://127.0.0.1:{free_port()}/0"))
    queue.put(1)
    assert queue.depth() is None
    queue.remind([1, 2])
    assert [
        record.getMessage() for record in caplog.records if record.name == "server.dispatch"
    ] == ["broker"]  # and not asked again at once


def test_a_redis_that_is_silent_holds_nobody_up_for_long() -> None:
    with socket.socket() as deaf:
        deaf.bind(("127.0.0.1", 0))
        deaf.listen(64)
        queue = CeleryQueue(Settings(broker_url=f"redis://127.0.0.1:{deaf.getsockname()[1]}/0"))
        began = time.monotonic()
        for number in range(5):
            queue.put(number)
        # one wait, not five; a request without limits would hang for ever
        assert time.monotonic() - began < 20


def test_it_goes_on_when_redis_is_back() -> None:
    with contextlib.closing(Redis()) as broker:
        queue = CeleryQueue(Settings(broker_url=broker.url()))
        queue.put(1)
        broker.signal(9)
        queue.put(2)
        broker.start()
        time.sleep(2.1)
        queue.put(3)
        assert queue.depth() == 2


def test_postgres_wakes_who_waits() -> None:
    with contextlib.closing(Postgres()) as cluster:
        url, seen = cluster.url(), threading.Event()
        hub = Hub(lambda hub: listen(url, hub))
        hub._poll_s = 60  # without a notification it would not poll in time
        database = open_database(url)

        def tell() -> None:
            while not seen.wait(0.2):
                cluster.run(f"NOTIFY {SUBMISSIONS.channel}, '7'")

        looked: list[int] = []
        teller = threading.Thread(target=tell)
        teller.start()
        try:
            assert hub.wait(7, 60, lambda: (looked.append(1), len(looked) > 1 or None)[1]) is True
        finally:
            seen.set()
            teller.join()
            database.close()


def test_a_connection_that_postgres_has_forgotten_is_replaced() -> None:
    with (
        contextlib.closing(Postgres()) as cluster,
        contextlib.closing(open_database(cluster.url())) as database,
    ):
        for _ in range(2):
            with database.read() as session:
                assert session.scalar(text("SELECT 17")) == 17
            cluster.kill()
            cluster.start()
            time.sleep(RESTED_S + 0.1)  # before that, the first question would fail
