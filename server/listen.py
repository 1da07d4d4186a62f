"""Word of what other processes wrote: PostgreSQL tells this process which submission has changed, and whoever waits for it wakes."""

import logging
import threading
import time

import psycopg
from psycopg.conninfo import make_conninfo
from sqlalchemy import make_url

from server.db import WATCHED
from server.hub import Hub
from server.store import JUDGED

log = logging.getLogger("server.listen")

AGAIN_S = 1.0


def listen(url: str, hub: Hub) -> None:
    """Start a thread that listens for as long as the process lives. Without word, a waiter still looks by itself."""
    plain = make_url(url).set(drivername="postgresql").render_as_string(hide_password=False)
    threading.Thread(target=_for_ever, args=(plain, hub), name="listen", daemon=True).start()


def _for_ever(url: str, hub: Hub) -> None:
    while True:
        try:
            with psycopg.connect(make_conninfo(url, **WATCHED), autocommit=True) as connection:
                connection.execute(f"LISTEN {JUDGED}")
                for word in connection.notifies():
                    hub.notify(int(word.payload))
        except psycopg.Error as error:
            log.warning("listen", extra={"fields": {"trouble": str(error)[:200]}})
            time.sleep(AGAIN_S)
