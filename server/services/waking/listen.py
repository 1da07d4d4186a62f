"""Listens to PostgreSQL for submissions that other processes changed, and wakes their waiters."""

import logging
import threading
import time
import weakref
from typing import Any

import psycopg
from psycopg.conninfo import make_conninfo
from sqlalchemy import make_url

from server.models.database import WATCHED
from server.services.jobs.kinds import SUBMISSIONS
from server.services.waking.hub import Hub

log = logging.getLogger("server.listen")

AGAIN_S = 1.0


def listen(url: str, hub: Hub) -> None:
    """Starts a thread that listens for as long as the hub is in use.

    While the connection is down, waiters still poll.
    """
    plain = make_conninfo(
        make_url(url).set(drivername="postgresql").render_as_string(hide_password=False), **WATCHED
    )
    threading.Thread(
        target=_while_in_use, args=(plain, weakref.ref(hub)), name="listen", daemon=True
    ).start()


def _while_in_use(url: str, hub: "weakref.ref[Hub]") -> None:
    while hub() is not None:
        try:
            with psycopg.connect(url, autocommit=True) as connection:
                connection.execute(f"LISTEN {SUBMISSIONS.channel}")
                while _forward(connection, hub):
                    pass
        except psycopg.Error as error:
            log.warning("listen", extra={"fields": {"trouble": str(error)[:200]}})
            time.sleep(AGAIN_S)


def _forward(connection: "psycopg.Connection[Any]", hub: "weakref.ref[Hub]") -> bool:
    """Forwards the notifications of a few seconds; False when the hub is gone."""
    for notification in connection.notifies(timeout=5):
        target = hub()
        if target is not None:
            target.notify(int(notification.payload))
    return hub() is not None
