"""/metrics for Prometheus: the queue in the database, and the counts of each judging process.

Workers open no port and may run on other machines. Each stores its counts beside its sign of life,
so one scrape of any web process shows them all.
"""

import hmac
from collections.abc import Iterator, Sequence
from datetime import datetime

from flask import Blueprint, Response, abort, request
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.metrics_core import Metric
from prometheus_client.registry import Collector
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from server.messages import Message
from server.models.database import clock
from server.models.submissions import State, Submission, WorkerSeen
from server.models.teaching import Rejudgement
from server.services.operation import SILENT
from server.web.context import reading, service
from server.worker.metrics import merged
from server.worker.wakeups import ThreadWakeups, Wakeups

pages = Blueprint("metrics", __name__)


@pages.get("/metrics")
def show() -> Response:
    """Shows the metrics to a client that sends the token."""
    kind, _, token = request.headers.get("Authorization", "").partition(" ")
    if kind.lower() != "bearer" or not hmac.compare_digest(
        token.strip().encode(), service().settings.metrics_token.encode()
    ):
        abort(401, Message("Send the token of JUDGE_METRICS_TOKEN as `Authorization: Bearer …`."))
    registry = CollectorRegistry(auto_describe=False)
    registry.register(_Service(reading()))
    return Response(
        generate_latest(registry), mimetype="text/plain", headers={"Cache-Control": "no-store"}
    )


class _Service(Collector):
    """Collects everything that one scrape shows."""

    def __init__(self, session: Session) -> None:
        self.session = session

    def collect(self) -> Iterator[Metric]:
        """Yields the metrics of the queue, of the broker and of the workers."""
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
        # each state has a small partial index
        waiting = select(func.count(), func.min(Submission.submitted_at)).where(
            Submission.state == state
        )
        count, first = session.execute(waiting).one()
        depth.add_metric([state], count)
        age.add_metric([state], (moment - first).total_seconds() if first else 0.0)
    left = select(func.count()).select_from(Rejudgement).where(Rejudgement.state != State.DONE)
    rejudging = GaugeMetricFamily(
        "judge_rejudging_depth",
        "Submissions that are still to be judged again.",
        value=session.scalar(left) or 0,
    )
    yield from (depth, age, rejudging)


def _broker(queue: Wakeups) -> Iterator[Metric]:
    """Yields whether Redis answers; nothing where threads of this process are the queue."""
    if isinstance(queue, ThreadWakeups):
        return
    hints = queue.depth()
    yield GaugeMetricFamily(
        "judge_broker_up",
        "Whether the queue between machines answers.",
        value=float(hints is not None),
    )
    if hints is not None:
        yield GaugeMetricFamily("judge_broker_hints", "Messages that wait in it.", value=hints)


def _workers(seen: Sequence[WorkerSeen], moment: datetime) -> Iterator[Metric]:
    rooms = GaugeMetricFamily(
        "judge_workers", "Processes that judge, by the state of their room.", labels=["room"]
    )
    states = [worker.room if moment - worker.seen_at < SILENT else "silent" for worker in seen]
    for state in ("opening", "ready", "unavailable", "silent"):
        rooms.add_metric([state], states.count(state))
    yield rooms
    yield from merged({worker.owner: worker.numbers for worker in seen})
