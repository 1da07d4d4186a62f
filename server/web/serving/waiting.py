"""Long polls: a request that waits for a change and is answered when it comes.

A request that waits for long holds no serving thread. `wait_for` waits in its thread for at most
`GRACE_S`, while at most half of the server's threads do so, and then raises `PutAside`. The server
(`waitress_server`, `gunicorn_worker`) catches it, keeps the connection, gives the thread back, and
runs the whole request again when the hub wakes it: after the change, or when the time is over.
Whatever the request did before it waited is therefore done twice. So a GET may wait; and a POST
that gives `wait_for` the number of what it has stored, finds that number when it is run again
(`stored_before`), and stores nothing then.

Each account waits with at most `MOST_OF_ONE` requests in a process, and all together with at most
`MOST`. A request above that is answered at once with what is known, and with `Retry-After`. Where
the server cannot put requests aside (Flask's own, which starts a thread for each) a request waits
in its thread, and `MOST_THREADS` do so at most.
"""

import time
from collections.abc import Callable
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Literal

from flask import Response, after_this_request

from server.services.waking.hub import Hub, Waiter

GRACE_S = 1.0  # most verdicts come within that, and then nothing is done twice
MOST_THREADS = 16
MOST_OF_ONE = 4
MOST = 400
RETRY_AFTER_S = 1

Look = Callable[[], object | None]


@dataclass(slots=True)
class Connection:
    """What a server that can put requests aside knows of the one it runs: set before the
    application is called.
    """

    gone: Callable[[], bool]  # whether the client has hung up
    threads: int  # that serve requests
    resumed: bool = False  # it was put aside, and now runs again
    stored: int | None = None  # the row that it wrote before


connection: ContextVar[Connection | None] = ContextVar("connection", default=None)


class PutAside(BaseException):
    """Leaves the application without an answer; the server runs the request again after `begin` has
    called back.

    Not an `Exception`: no handler of errors may answer instead.
    """

    def __init__(self, hub: Hub, waiter: Waiter, stored: int | None = None) -> None:
        super().__init__("the request waits")
        self.hub, self.waiter, self.stored = hub, waiter, stored

    def begin(self, wake: Callable[[], None]) -> None:
        """Start to wait; `wake` is called once, from another thread, and perhaps before this
        returns.
        """
        self.hub.add(self.waiter, wake)

    def cancel(self) -> bool:
        """The client has hung up: nobody is woken. False when `wake` was called already."""
        return self.hub.remove(self.waiter)


def client_gone() -> bool:
    """Whether the client has hung up, where the server tells; for work that can stop halfway."""
    running = connection.get()
    return running is not None and running.gone()


def stored_before() -> int | None:
    """Returns the number that this request stored before it was put aside; None in a first run."""
    running = connection.get()
    return None if running is None else running.stored


def wait_for(
    hub: Hub, topic: int, account: int, seconds: float, look: Look, stored: int | None = None
) -> bool:
    """Returns when `look` returns something, when `seconds` are over, or at once when too many
    wait: then False. May raise `PutAside`; `stored` is what the second run has to know.

    `look` is also called from the hub's thread, so it opens a session of its own and needs no
    request.
    """
    running = connection.get()
    if seconds <= 0 or (running is not None and running.resumed):
        return True
    until = time.monotonic() + seconds
    if not hub.enter(account, MOST_OF_ONE, MOST):
        return _ask_again_later()
    aside = False
    try:
        here = seconds if running is None else min(seconds, GRACE_S)
        most = MOST_THREADS if running is None else running.threads // 2
        if not _waited_here(hub, topic, here, look, most, stored is not None) and (
            time.monotonic() < until
        ):
            if running is None:
                return _ask_again_later()  # too many threads wait already
            aside = True  # and stays counted: the hub uncounts it when it is woken
            raise PutAside(hub, Waiter(topic, account, until, look), stored)
    finally:
        if not aside:
            hub.leave(account)
    return True


def _waited_here(
    hub: Hub, topic: int, seconds: float, look: Look, most: int, just_stored: bool
) -> bool:
    """Whether `look` returned something within `seconds`, in this thread; or now, when `most`
    threads wait already. Of what is just stored there is nothing to see now.
    """
    with hub.thread(most) as free:
        if not free and just_stored:
            return False
        return (hub.wait(topic, seconds, look, just_stored) if free else look()) is not None


def _ask_again_later() -> Literal[False]:
    @after_this_request
    def add(response: Response) -> Response:
        response.headers.setdefault("Retry-After", str(RETRY_AFTER_S))
        return response

    return False
