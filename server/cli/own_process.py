"""A worker in a process of its own, beside the one that serves pages: each has its own interpreter
lock, so that neither judging nor pages wait for the other (docs/design/own-process.md).

The two share the database, and a pair of sockets for wake-ups. The pages send one byte where there
may be work; the worker sends a line with the number of each submission that has changed. A lost one
costs time, never a submission: the worker's sweep finds the row, and whoever waits looks again.
"""

import contextlib
import logging
import os
import signal
import socket
import threading
import time
from collections.abc import Callable, Sequence
from typing import NoReturn

from server.services.waking.hub import Hub
from server.worker.threads import Worker

log = logging.getLogger("server.work")

START, SUBMISSION, CHORES, STOP = b"!", b"s", b"c", b"."  # what the pages send
RECEIVED = 4096  # bytes at a time
AGAIN_S = 1.0  # between the end of a worker and the start of the next one
STOP_S = 60.0  # that a worker may take to finish what it judges


class OwnProcess:
    """The pages' end: forks the worker, wakes it, and hears from it. A `Wakeups`."""

    def __init__(self, worker: Worker, hub: Hub) -> None:
        """Forks. To be called before this process has a second thread or an open database."""
        self._worker, self._hub, self._ending, self._here = worker, hub, False, False
        hub.hears_all()
        self._socket, far = socket.socketpair()
        self.supervisor = os.fork()
        if not self.supervisor:
            self._socket.close()
            _supervise(far, lambda: _judge(worker, hub, far))
        far.close()
        self._listener = threading.Thread(target=self._listen, name="changes", daemon=True)

    def start(self) -> None:
        """Lets the worker begin."""
        self._listener.start()
        self._send(START)

    def put(self, submission_id: int) -> None:
        """Wakes a thread of the worker."""
        if self._here:
            self._worker.queue.put(submission_id)
        else:
            self._send(SUBMISSION)

    def remind(self, due: Sequence[int]) -> None:
        """Wakes a thread of the worker."""
        self.put(0)

    def wake_chores(self) -> None:
        """Wakes the worker's other threads."""
        if self._here:
            self._worker.wake_chores()
        else:
            self._send(CHORES)

    def wait(self, seconds: float) -> None:
        """Sleeps: wake-ups reach the worker, not the threads of this process."""
        time.sleep(seconds)

    def depth(self) -> int | None:
        """Returns None: nobody counts them."""
        return None

    def stop(self) -> None:
        """Ends the worker once it has finished what it judges; also one that never started."""
        self._ending = True
        self._send(STOP)
        if self._listener.ident is not None:
            self._listener.join(STOP_S)  # until the worker and its supervisor are gone
        self._socket.close()
        with contextlib.suppress(ChildProcessError):
            os.waitpid(self.supervisor, os.WNOHANG if self._listener.is_alive() else 0)
        if self._here:
            self._worker.stop()

    def _send(self, message: bytes) -> None:
        # nobody there, or more wake-ups than it can read
        with contextlib.suppress(OSError):
            self._socket.send(message, socket.MSG_DONTWAIT)

    def _listen(self) -> None:
        with self._socket.makefile("rb") as lines, contextlib.suppress(OSError):
            for line in lines:
                self._hub.notify(int(line))
        if not self._ending:
            self._judge_here()

    def _judge_here(self) -> None:
        """Supervisor and worker are gone. This process has threads, so it cannot fork another."""
        remedy = "start the service again: pages and judging share a process until then"
        log.error("judging among the pages", extra={"fields": {"remedy": remedy}})
        self._here = True
        self._worker.start()


def _supervise(pages: socket.socket, work: Callable[[], None]) -> NoReturn:
    """Forks a worker, and another one whenever one ends that should not have.

    This process has one thread and nothing else to do, so it can fork at any time.
    """
    # it is the pages' process that says when to end; programs that are started here ignore nothing
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: None)
    if pages.recv(1) != START:
        os._exit(0)
    while True:
        worker = os.fork()
        if not worker:
            _work(work)
        status = os.waitstatus_to_exitcode(os.waitpid(worker, 0)[1])
        if status == 0:
            os._exit(0)
        log.error("worker ended", extra={"fields": {"status": status}})
        time.sleep(AGAIN_S)


def _work(work: Callable[[], None]) -> NoReturn:
    try:
        work()
    except BaseException:
        log.exception("worker")
        os._exit(1)
    os._exit(0)


def _judge(worker: Worker, hub: Hub, pages: socket.socket) -> None:
    """The worker's end: judges until it is told to stop, or until nobody is left at the other end.

    In that case it ends at once: who started it was killed, and the next one judges its submissions
    again.
    """

    def changed(submission_id: int) -> None:
        with contextlib.suppress(OSError):
            pages.sendall(b"%d\n" % submission_id)

    hub.forward(changed)
    worker.start()
    while messages := pages.recv(RECEIVED):
        for _ in range(messages.count(SUBMISSION)):
            worker.queue.put(0)
        if CHORES in messages:
            worker.wake_chores()
        if STOP in messages:
            worker.stop()
            return
