"""Word of what other processes wrote: PostgreSQL tells this process which submission has changed,
and whoever waits for it wakes.
"""

import logging
import threading
import time
import weakref
from typing import Any

import psycopg
from psycopg.conninfo import make_conninfo
from sqlalchemy import make_url

from server.models.database import WATCHED
from server.services.hub import Hub
from server.services.jobs.kinds import SUBMISSIONS

log = logging.getLogger("server.listen")

AGAIN_S = 1.0


def listen(url: str, hub: Hub) -> None:
    """Start a thread that listens for as long as the hub is in use.

    Without word, a waiter still looks by itself.
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
                while _heard(connection, hub):
                    pass
        except psycopg.Error as error:
            log.warning("listen", extra={"fields": {"trouble": str(error)[:200]}})
            time.sleep(AGAIN_S)


def _heard(connection: "psycopg.Connection[Any]", hub: "weakref.ref[Hub]") -> bool:
    """Pass on what comes within a few seconds; False when nobody is there to be told."""
    for word in connection.notifies(timeout=5):
        found = hub()
        if found is not None:
            found.notify(int(word.payload))
    return hub() is not None
