"""Which address a request may be sent on to, and which may be logged."""

from flask import request


def safe_path(path: str | None) -> str:
    """Where to go after signing in: a path of this site, nothing else."""
    if (
        not path
        or not path.startswith("/")
        or path.startswith(("//", "/\\"))
        or any(ord(c) < 32 for c in path)
    ):
        return "/"
    return path


def kept_path() -> str:
    """Returns the path as it may be logged: the rule, without the code, for a reset link.

    Whoever reads a reset link in a log could use it.
    """
    rule = request.url_rule
    return rule.rule if rule is not None and "code" in (request.view_args or {}) else request.path
