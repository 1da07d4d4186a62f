"""Waitress, with requests that can be put aside (`server.web.serving.waiting`).

A channel whose request is put aside keeps it as the first of its requests and leaves the serving
thread; to wake it is to queue the channel again, which runs the same request from its beginning.
Waitress notices a client that hangs up only while it reads ahead (`channel_request_lookahead`);
then the wait ends and nothing is run.
"""

from typing import Any

from waitress.channel import HTTPChannel  # type: ignore[import-untyped]
from waitress.server import BaseWSGIServer, create_server  # type: ignore[import-untyped]

from server.web.serving.waiting import Connection, PutAside, connection

CONNECTIONS = 600  # those that wait (`waiting.MOST`), and room for the others


class Channel(HTTPChannel):  # type: ignore[misc]
    """A connection whose request may be put aside."""

    waits: PutAside | None = None

    def service(self) -> None:
        """Run the first request; called in a serving thread."""
        before, self.waits = self.waits, None
        stored = None if before is None else before.stored
        gone, threads = (lambda: not self.connected), self.server.adj.threads
        token = connection.set(Connection(gone, threads, before is not None, stored))
        try:
            super().service()
        except PutAside as waits:
            self.waits = waits
            waits.begin(lambda: self.server.add_task(self))
            if not self.connected:  # hung up before it was known that it waits
                waits.cancel()
        finally:
            connection.reset(token)

    def handle_close(self) -> None:
        """The connection is closed, from either side."""
        super().handle_close()
        waits = self.waits
        if waits is not None:
            waits.cancel()


def create(app: Any, host: str, port: int, threads: int) -> Any:
    """A server that listens; `run` and `close` are Waitress's.

    Raises `OSError` when the port is taken.
    """
    sockets: dict[int, Any] = {}
    server = create_server(
        app,
        map=sockets,
        host=host,
        port=port,
        threads=threads,
        ident=None,
        connection_limit=CONNECTIONS,
        asyncore_use_poll=True,  # select() knows no descriptor above 1023
        channel_request_lookahead=1,
        clear_untrusted_proxy_headers=False,  # JUDGE_PROXIES decides, in server/app.py
    )
    for listener in sockets.values():
        if isinstance(listener, BaseWSGIServer):
            listener.channel_class = Channel
    return server
