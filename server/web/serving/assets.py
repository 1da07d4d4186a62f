"""The built files of the pages: their addresses, and how they are sent.

A built file's name changes with what is in it, so a browser keeps it for good. `manifest.json`,
which the build writes, says the names. WhiteNoise sends what it finds when the service starts,
compressed where the build has written `.br` or `.gz` beside it; what a later build adds is sent by
Flask, as it is.
"""

import json
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any
from wsgiref.headers import Headers

from flask import Flask, url_for
from whitenoise import WhiteNoise

from server.web import headers

STATIC = Path(__file__).parents[1] / "static"
MANIFEST = STATIC / "dist" / "manifest.json"
HASHED = r"/dist/.+-[0-9A-Z]{8}\.\w+$"
OTHERS_S = 3600  # what has one name for ever, such as the icon


def address(name: str) -> str:
    """The address of what a source file was built to; that of a missing file before any build."""
    return _address(_manifest().get(name, [name])[0])


def parts(name: str) -> list[str]:
    """The addresses of a module and of what it imports at once; none before any build."""
    return [_address(path) for path in _manifest().get(name, [])]


def _address(path: str) -> str:
    return url_for("static", filename=f"dist/{path}")


def _manifest() -> dict[str, list[str]]:
    return _read(MANIFEST.stat().st_mtime_ns) if MANIFEST.exists() else {}


@lru_cache(maxsize=1)
def _read(_changed: int) -> dict[str, list[str]]:
    return dict(json.loads(MANIFEST.read_text()))


class _Files(WhiteNoise):  # type: ignore[misc]
    """Files that a later build may have taken away: then Flask says that there is no such page."""

    def __call__(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> Any:
        try:
            return super().__call__(environ, start_response)
        except FileNotFoundError:
            return self.application(environ, start_response)


def serve(app: Flask, https: bool) -> None:
    """Sends the static files before the application is asked, with the headers of every answer."""
    fixed = headers.fixed(https)

    def add(response_headers: Headers, _path: str, _url: str) -> None:
        for name, value in fixed.items():
            response_headers[name] = value

    app.wsgi_app = _Files(  # type: ignore[method-assign]
        app.wsgi_app,
        root=STATIC,
        prefix=app.static_url_path,
        max_age=OTHERS_S,
        allow_all_origins=False,
        immutable_file_test=HASHED,
        add_headers_function=add,
    )
