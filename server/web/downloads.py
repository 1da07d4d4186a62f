"""Files as answers, which a browser stores instead of showing them."""

from flask import Response

from server.services.problems import archive
from server.services.problems.files import Files


def attachment(content: bytes, kind: str, name: str) -> Response:
    """Returns an answer that is stored under this name."""
    answer = Response(content, content_type=kind)
    answer.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return answer


def problem_zip(slug: str, files: Files) -> Response:
    """Returns a problem as a zip, which can be uploaded as it is."""
    return attachment(archive.write_zip(slug, files), "application/zip", f"{slug}.zip")
