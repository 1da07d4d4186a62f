"""Dispatch between machines: Celery over Redis, and the worker that answers it.

A message holds the number of a submission, and is only a hint that there is work: which submission
is next is read from the database, where the order is fair. So a message may be lost, doubled or
late without harm. It is acknowledged after the verdict is stored; when the process ends before
that, Redis delivers it again. A submission without a message (Redis was down, or lost its
data) gets one from the sweep of any worker.
"""

import ctypes
import gc
import logging
import os
import signal
import time
from collections.abc import Callable, Sequence
from typing import Any

from celery import Celery, signals
from sqlalchemy.exc import SQLAlchemyError

from server.services import submission_queue
from server.settings import Settings
from server.worker.threads import Worker

log = logging.getLogger("server.dispatch")

QUEUE = TASK = "judge"
PAUSE_S = 2.0  # after Redis did not answer, requests do not wait for it again for so long
REFUSED_S = 1.0  # the longest that a request waits for Redis
SILENT_S = 10.0  # a worker takes a connection without an answer for dead after so long
UNANSWERED_S = 3600  # a message whose worker vanished comes back; the sweep is there long before


class CeleryQueue:
    """Puts numbers into Redis.

    Never raises and never waits for long: the row is stored, and the sweep will find it.
    """

    def __init__(self, settings: Settings) -> None:
        self._celery = celery(
            settings, REFUSED_S, {"max_retries": 0, "interval_start": 0, "interval_step": 0}
        )
        self._not_before = 0.0

    def put(self, submission_id: int) -> None:
        """Sends a hint for a row that is committed."""
        self._send([submission_id])

    def wait(self, seconds: float) -> None:
        """Sleeps: hints wake Celery's workers, not the threads of this process."""
        time.sleep(seconds)

    def remind(self, due: Sequence[int]) -> None:
        """Sends the missing hints when fewer wait than submissions are due."""
        depth = self.depth()
        if depth is not None:
            self._send(due[: max(0, len(due) - depth)])

    def depth(self) -> int | None:
        """Returns how many hints wait; None while Redis does not answer."""
        if time.monotonic() < self._not_before:
            return None
        try:
            with self._celery.pool.acquire(block=True) as connection:
                return int(
                    connection.default_channel.queue_declare(
                        QUEUE, passive=False, durable=True
                    ).message_count
                )
        except Exception as error:  # Celery, Kombu and redis have each their own family of errors
            self._failed(error)
            return None

    def _send(self, numbers: Sequence[int]) -> None:
        if time.monotonic() < self._not_before:
            return
        try:
            for number in numbers:
                self._celery.send_task(TASK, (number,), retry=False, ignore_result=True)
        except Exception as error:  # as above; whatever it is, the submission is stored
            self._failed(error)

    def _failed(self, error: Exception) -> None:
        self._not_before = time.monotonic() + PAUSE_S
        log.error(
            "broker", extra={"fields": {"trouble": type(error).__name__, "text": str(error)[:200]}}
        )


def celery(settings: Settings, silent: float, retries: dict[str, Any]) -> Celery:
    """Returns Celery as both sides configure it."""
    app = Celery("judge", broker=settings.broker(), set_as_current=False)
    app.conf.update(
        task_default_queue=QUEUE,
        task_acks_late=True,
        task_reject_on_worker_lost=True,
        worker_prefetch_multiplier=1,
        task_ignore_result=True,
        task_serializer="json",
        accept_content=["json"],
        worker_hijack_root_logger=False,
        worker_redirect_stdouts=False,
        worker_proc_alive_timeout=60,
        worker_cancel_long_running_tasks_on_connection_loss=False,
        broker_connection_retry_on_startup=True,
        broker_connection_max_retries=None,
        broker_connection_timeout=silent,
        broker_transport_options={
            "visibility_timeout": UNANSWERED_S,
            "socket_connect_timeout": silent,
            "socket_timeout": silent,
            "socket_keepalive": True,
            "health_check_interval": 5,
            **retries,
        },
    )
    return app


def work(
    settings: Settings, make_worker: Callable[[], Worker], set_up_logs: Callable[[], None]
) -> None:
    """Judges in `settings.workers` processes, each with a room of its own, until interrupted.

    Each process makes its own worker, once Celery has forked it.
    """
    app = celery(settings, SILENT_S, {})
    held: list[Worker] = []  # this process's

    @signals.setup_logging.connect(weak=False)  # type: ignore[untyped-decorator]
    def our_lines(**_: Any) -> None:
        set_up_logs()
        # two lines for each task otherwise, beside ours
        logging.getLogger("celery").setLevel("WARNING")

    @signals.worker_process_init.connect(weak=False)  # type: ignore[untyped-decorator]
    def begin(**_: Any) -> None:
        _end_with_parent()
        worker = make_worker()
        worker.start(judging=False)
        gc.freeze()  # as in `server.cli.processes.prepare`
        held.append(worker)

    @signals.worker_process_shutdown.connect(weak=False)  # type: ignore[untyped-decorator]
    def end(**_: Any) -> None:
        while held:
            held.pop().stop()

    @app.task(name=TASK)  # type: ignore[untyped-decorator]
    def judge(submission_id: int) -> None:
        """Judges the next submission; it need not be the one that the message names."""
        for worker in held:
            _judge_next(worker)

    app.worker_main(_arguments(settings))


def _arguments(settings: Settings) -> list[str]:
    """Celery's command line."""
    return [
        "--quiet",
        "worker",
        "--pool=prefork",
        f"--concurrency={max(1, settings.workers)}",
        "--without-gossip",
        "--without-mingle",
        "--without-heartbeat",
        "-n",
        f"judge-{os.getpid()}@%h",
    ]


def _judge_next(worker: Worker) -> None:
    """Judges the next submission, and sends the hint for the one after it."""
    try:
        claimed = worker.judge_next()
        following = (
            claimed
            and not worker.queue.depth()
            and submission_queue.next_of(worker.database, claimed.user_id)
        )
    except SQLAlchemyError as error:
        trouble = {"trouble": type(error).__name__, "text": str(error.__cause__ or error)[:300]}
        log.error("database", extra={"fields": trouble})
        return
    # its own hint was spent while the learner's last one was being judged, and no other comes
    if following:
        worker.queue.put(following)


def _end_with_parent() -> None:
    """Makes the kernel end this process with Celery, whatever ends that."""
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG
    if os.getppid() == 1 and os.getpid() != 1 and not _parent_is_celery():
        os._exit(1)


def _parent_is_celery() -> bool:
    """Checks whether process 1 is Celery, as in a container."""
    with open("/proc/1/cmdline", "rb") as file:
        return b"worker" in file.read()
