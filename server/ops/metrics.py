"""/metrics for Prometheus: the queue as the database has it, and what each judging process has
counted.

Workers open no port: each writes its counts beside its sign of life, and one scrape of any web
process shows them all.
"""

import hmac
from collections.abc import Iterator
from datetime import datetime, timedelta
from itertools import accumulate
from typing import Any

from flask import Blueprint, Response, abort, request
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily
from prometheus_client.metrics_core import Metric
from prometheus_client.registry import Collector
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from server.messages import Message
from server.models.database import clock
from server.models.submissions import State, Submission, WorkerSeen
from server.models.teaching import Rejudgement
from server.web.context import reading, service
from server.worker.counters import BOUNDS_S
from server.worker.queue import Queue, ThreadQueue

pages = Blueprint("metrics", __name__)

SILENT = timedelta(seconds=15)


@pages.get("/metrics")
def show() -> Response:
    """The numbers, for whoever has the token."""
    kind, _, token = request.headers.get("Authorization", "").partition(" ")
    if kind.lower() != "bearer" or not hmac.compare_digest(
        token.strip().encode(), service().settings.metrics_token.encode()
    ):
        abort(401, Message("Send the token of JUDGE_METRICS_TOKEN as `Authorization: Bearer …`."))
    registry = CollectorRegistry(auto_describe=False)
    registry.register(_Numbers(reading()))
    return Response(
        generate_latest(registry), mimetype="text/plain", headers={"Cache-Control": "no-store"}
    )


class _Numbers(Collector):
    """Everything of one scrape."""

    def __init__(self, session: Session) -> None:
        self.session = session

    def collect(self) -> Iterator[Metric]:
        """See the class."""
        moment = clock(self.session)
        yield from _queue(self.session, moment)
        yield from _broker(service().queue)
        yield from _workers(
            self.session.scalars(select(WorkerSeen).order_by(WorkerSeen.owner)).all(), moment
        )


def _queue(session: Session, moment: datetime) -> Iterator[Metric]:
    depth = GaugeMetricFamily(
        "judge_queue_depth", "Submissions that are queued or running.", labels=["state"]
    )
    age = GaugeMetricFamily(
        "judge_queue_age_seconds", "Age of the oldest of them.", labels=["state"]
    )
    for state in (State.QUEUED, State.RUNNING):
        # two small indexes
        there = select(func.count(), func.min(Submission.submitted_at)).where(
            Submission.state == state
        )
        count, first = session.execute(there).one()
        depth.add_metric([state], count)
        age.add_metric([state], (moment - first).total_seconds() if first else 0.0)
    again = GaugeMetricFamily(
        "judge_rejudging_depth", "Submissions that are still to be judged again."
    )
    again.add_metric(
        [],
        session.scalar(
            select(func.count()).select_from(Rejudgement).where(Rejudgement.state != State.DONE)
        )
        or 0,
    )
    yield from (depth, age, again)


def _broker(queue: Queue) -> Iterator[Metric]:
    """Whether Redis answers; nothing where threads of this process are the queue."""
    if isinstance(queue, ThreadQueue):
        return
    hints = queue.depth()
    yield GaugeMetricFamily(
        "judge_broker_up",
        "Whether the queue between machines answers.",
        value=float(hints is not None),
    )
    if hints is not None:
        yield GaugeMetricFamily("judge_broker_hints", "Messages that wait in it.", value=hints)


def _workers(seen: Any, moment: datetime) -> Iterator[Metric]:
    rooms = GaugeMetricFamily(
        "judge_workers", "Processes that judge, by the state of their room.", labels=["room"]
    )
    verdicts = CounterMetricFamily(
        "judge_verdicts", "Verdicts stored, by kind.", labels=["worker", "verdict"]
    )
    failures = CounterMetricFamily(
        "judge_failures", "Attempts that failed through the service's fault.", labels=["worker"]
    )
    restarts = CounterMetricFamily(
        "judge_room_restarts", "Rooms that had to be started again.", labels=["worker"]
    )
    waited = HistogramMetricFamily(
        "judge_waited_seconds",
        "From the submission to the worker that takes it up.",
        labels=["worker"],
    )
    judged = HistogramMetricFamily(
        "judge_judged_seconds",
        "From there to the verdict: the time in the room.",
        labels=["worker"],
    )
    states = [worker.room if moment - worker.seen_at < SILENT else "silent" for worker in seen]
    for state in ("opening", "ready", "unavailable", "silent"):
        rooms.add_metric([state], states.count(state))
    for worker in seen:
        numbers = worker.numbers
        if not numbers:
            continue
        for verdict, count in numbers["verdicts"].items():
            verdicts.add_metric([worker.owner, verdict], count)
        failures.add_metric([worker.owner], numbers["failures"])
        restarts.add_metric([worker.owner], numbers["restarts"])
        waited.add_metric(
            [worker.owner], _buckets(numbers["waited"]["counts"]), numbers["waited"]["sum"]
        )
        judged.add_metric(
            [worker.owner], _buckets(numbers["judged"]["counts"]), numbers["judged"]["sum"]
        )
    yield from (rooms, verdicts, failures, restarts, waited, judged)


def _buckets(counts: list[int]) -> list[tuple[str, float]]:
    """Prometheus counts everything below each bound."""
    return list(zip([*map(str, BOUNDS_S), "+Inf"], map(float, accumulate(counts)), strict=True))
