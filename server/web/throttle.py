"""Requests whose cost grows with what users have written: how often one account may send them, and
how many run at once.

Each has a bound of its own (docs/server.md, "What a request may cost"). This keeps their sum from
stopping a site: at most `AT_ONCE` run in a process and one of each account, so that the other
threads always serve, and an account sends at most `RATE`. What is above that is answered at once
with 429 and `Retry-After`.
"""

import threading
from collections.abc import Callable
from functools import wraps
from typing import Any

from flask import Response

from server.messages import Message
from server.web.access import by_learner, limiter
from server.web.failures import failure

RATE = "60/minute"
AT_ONCE = 2
RETRY_AFTER_S = 1

View = Callable[..., Any]

_lock = threading.Lock()
_running: set[str] = set()


def costly(view: View) -> View:
    """A view that counts as costly.

    The innermost decorator: what the account may see is checked before.
    """

    @limiter.limit(RATE, key_func=by_learner)
    @wraps(view)
    def bounded(*args: Any, **kwargs: Any) -> Any:
        account = by_learner()
        if not _enter(account):
            return busy()
        try:
            return view(*args, **kwargs)
        finally:
            with _lock:
                _running.discard(account)

    return bounded


def busy() -> Response:
    """429: another one is running."""
    return failure(
        429,
        Message("A request of this kind is running. Wait for it, and send this one again."),
        {"Retry-After": str(RETRY_AFTER_S)},
    )


def _enter(account: str) -> bool:
    with _lock:
        if account in _running or len(_running) >= AT_ONCE:
            return False
        _running.add(account)
        return True
