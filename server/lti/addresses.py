"""The addresses of this service that an admin enters at a learning platform."""

from flask import url_for

from server.web.context import service


def address(endpoint: str) -> str:
    """As the platform and the browser know it."""
    return url_for(endpoint, _external=True, _scheme="https" if service().settings.https else None)
