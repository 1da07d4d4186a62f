"""Compresses pages and JSON that are read, and leaves the answers to forms as they are.

docs/design/compression.md says why the length of a compressed page gives no secret away.
"""

from flask import Flask, Response, request
from flask_compress import Compress

KINDS = [
    "text/html",
    "text/plain",
    "text/csv",
    "application/json",
    "application/problem+json",
]


def install(app: Flask) -> None:
    """Compresses answers to GET, the best that the browser accepts; no stream is touched."""
    app.config.update(
        COMPRESS_REGISTER=False,
        COMPRESS_STREAMS=False,
        COMPRESS_EVALUATE_CONDITIONAL_REQUEST=False,
        COMPRESS_MIMETYPES=KINDS,
        COMPRESS_ALGORITHM=["br", "zstd", "gzip"],
        COMPRESS_BR_LEVEL=5,
    )
    compress = Compress()
    compress.init_app(app)

    @app.after_request
    def add(response: Response) -> Response:
        """A new secret is shown in the answer to a form, never compressed."""
        return compress.after_request(response) if request.method == "GET" else response
