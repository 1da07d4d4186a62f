"""Gunicorn's threaded worker, with requests that can be put aside (`server.web.serving.waiting`).

The parsed request stays with its connection, which belongs to the worker's main thread until it is
woken; then the request is run again in the pool. While it waits, the main thread watches the socket
for a client that hangs up.
"""

import selectors
import socket
from collections.abc import Iterator
from functools import partial
from typing import Any

from gunicorn.workers.gthread import TConn, ThreadWorker  # type: ignore[import-untyped]

from server.web.serving.waiting import Connection, PutAside, connection


class _Again:
    """The parser of a connection whose request is run again: yields that request first, and is the
    parser otherwise.
    """

    def __init__(self, request: Any, parser: Any, stored: int | None) -> None:
        self.request, self.parser, self.stored = request, parser, stored

    def __iter__(self) -> Iterator[Any]:
        return self

    def __next__(self) -> Any:
        return self.request

    def __getattr__(self, name: str) -> Any:
        return getattr(self.parser, name)


class Worker(ThreadWorker):  # type: ignore[misc]
    """Serves with threads; a request that waits holds none."""

    def handle_request(self, req: Any, conn: TConn) -> bool:
        """Run a request, in a thread of the pool."""
        resumed, stored = isinstance(conn.parser, _Again), None
        if resumed:
            stored, conn.parser = conn.parser.stored, conn.parser.parser
        gone, threads = partial(_hung_up, conn.sock), self.cfg.threads
        token = connection.set(Connection(gone, threads, resumed, stored))
        try:
            return bool(super().handle_request(req, conn))
        except PutAside as waits:
            conn.waits, conn.parser = waits, _Again(req, conn.parser, waits.stored)
            return False
        finally:
            connection.reset(token)

    def finish_request(self, conn: TConn, fs: Any) -> None:
        """What becomes of the connection, in the main thread."""
        waits = getattr(conn, "waits", None)
        if waits is None:
            super().finish_request(conn, fs)
            return
        conn.sock.setblocking(False)
        self.poller.register(conn.sock, selectors.EVENT_READ, partial(self._readable, conn))
        waits.begin(lambda: self.method_queue.defer(self._resume, conn))

    def _resume(self, conn: TConn) -> None:
        self._unwatch(conn)
        conn.waits = None
        self.enqueue_req(conn)

    def _readable(self, conn: TConn, client: socket.socket) -> None:
        """While it waits: the client has hung up, or sends its next request already, which has to
        wait as well.
        """
        waits = conn.waits
        if waits is None:  # it was woken by what came before in the same round of the loop
            return
        self._unwatch(conn)
        if _hung_up(client) and waits.cancel():
            self.nr_conns -= 1
            conn.close()

    def _unwatch(self, conn: TConn) -> None:
        if conn.sock in self.poller.get_map():
            self.poller.unregister(conn.sock)


def _hung_up(client: socket.socket) -> bool:
    try:
        return not client.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT)
    except BlockingIOError:
        return False
    except OSError:
        return True
