"""The URLs among the settings: what may be written, which package each needs, and its password."""

import re
from importlib import import_module
from urllib.parse import quote, urlsplit, urlunsplit

from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError

SQLITE, POSTGRESQL = ("sqlite", "sqlite+pysqlite"), "postgresql+psycopg"


def read_database(url: str) -> str:
    """Returns the URL of a database. Raises `ValueError` that says what to write, or to install."""
    try:
        parsed = make_url(url) if url else None
        known = parsed is None or parsed.drivername == POSTGRESQL
        if parsed and parsed.drivername in SQLITE:
            known = bool(parsed.database)
    except (ArgumentError, ValueError):
        known = False
    if not known:
        raise ValueError(
            "write a URL such as postgresql+psycopg://judge@db:5432/judge, or"
            " sqlite:////srv/judge/judge.sqlite3"
        )
    if parsed and parsed.drivername == POSTGRESQL:
        _needs("psycopg")
    return url


def read_broker(url: str) -> str:
    """Returns the URL of the queue, which may be several with `;` between. Raises `ValueError`."""
    if not url:
        return url
    for part in url.split(";"):
        if not (re.match(r"(rediss?|redis\+socket|sentinel)://", part) and _has_port(part)):
            raise ValueError("write the URL of a Redis, such as redis://redis:6379/0")
    _needs("redis", "celery")
    return url


def read_storage(url: str) -> str:
    """Returns the URL of where the limits are counted. Raises `ValueError`."""
    sentinel = url.startswith("redis+sentinel:")
    if not (re.match(r"(memory|rediss?|redis\+\w+)://", url) and (sentinel or _has_port(url))):
        raise ValueError("write memory://, or the URL of a Redis, such as redis://redis:6379/1")
    if sentinel and not urlsplit(url).path.strip("/"):
        raise ValueError("write its name behind it, such as redis+sentinel://redis:26379/mymaster")
    if not url.startswith("memory:"):
        _needs("redis")
    return url


def with_password(url: str, password: str) -> str:
    """Returns the URL with the password in it; unchanged when the password is empty."""
    if not password:
        return url
    parts = urlsplit(url)
    account, _, host = parts.netloc.rpartition("@")
    return urlunsplit(
        parts._replace(netloc=f"{account.partition(':')[0]}:{quote(password, safe='')}@{host}")
    )


def _has_port(url: str) -> bool:
    """Checks that a port, where there is one, is a number."""
    try:
        _ = urlsplit(url).port
    except ValueError:
        return False
    return True


def _needs(*packages: str) -> None:
    """Raises `ValueError` when a package is not there, or not whole."""
    for name in packages:
        try:
            import_module(name)
        except ImportError as error:
            raise ValueError(
                f"needs the Python package {name} ({str(error).partition(chr(10))[0]}); install it"
                " with pip install '.[scale]', or leave the setting out"
            ) from None
