"""Every setting of the service: one field each, with the environment variable that sets it, its
default and its meaning.

docs/settings.md lists them; a test holds the page against this file.
"""

import contextlib
import os
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit, urlunsplit

from grader.errors import UsageError
from grader.model import ISOLATIONS
from grader.problem import default_bank
from grader.source import MAX_BYTES
from server.permissions import private_file, private_folder

SIGN_UP = ("open", "invitation", "closed")


def _setting(default: Any, doc: str, choices: tuple[str, ...] = ()) -> Any:
    """A dataclass field that carries what docs/settings.md says of it."""
    return field(default=default, metadata={"doc": doc, "choices": choices})


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of one process; the variable of a field is `JUDGE_` and its name in capitals."""

    title: str = _setting("Attention, by hand", "Title of the site.")
    instance: str = _setting(
        "instance",
        "Folder for what the service keeps beside the database: the generated secret, SQLite's"
        " file.",
    )
    database_url: str = _setting(
        "", "SQLAlchemy URL of the database; empty: SQLite in the instance folder."
    )
    database_password: str = _setting("", "Password that is put into the database's URL.")
    broker_url: str = _setting(
        "", "Redis URL of the queue between machines; empty: threads of this process judge."
    )
    broker_password: str = _setting("", "Password that is put into the Redis URLs.")
    metrics_token: str = _setting(
        "", "Bearer token with which /metrics can be read; empty: there is no such page."
    )
    secret_key: str = _setting(
        "",
        "Signs sessions and forms; empty: made once and kept in the instance folder, readable by"
        " its owner only.",
    )
    bank: str = _setting(
        "", "Folder with problems/ and reference/; empty: the bank that `grade` would use."
    )
    isolation: str = _setting("bubblewrap", "Launcher of the sealed room.", ISOLATIONS)
    workers: int = _setting(
        2,
        "Threads that judge inside this process, or processes of a Celery worker; 0: none (judge"
        " with `flask --app server worker`).",
    )
    seed: int = _setting(
        0,
        "Public seed of the hidden inputs, as in `grade run --seed`; the installation's own secret"
        " is mixed in.",
    )
    sign_up: str = _setting(
        "open",
        "Who may make an account: anyone, holders of an invitation code, or nobody.",
        SIGN_UP,
    )
    source_limit: int = _setting(MAX_BYTES, "Largest source that is accepted, in bytes of UTF-8.")
    submit_limit: str = _setting(
        "30/minute;1000/day", "Submissions and sample runs a learner may send."
    )
    sign_in_limit: str = _setting("10/minute", "Attempts to sign in from one address.")
    sign_up_limit: str = _setting(
        "20/hour", "Accounts made, and passwords reset, from one address."
    )
    link_limit: str = _setting("60/hour", "Reset links and invitations that one account may make.")
    limit_storage: str = _setting(
        "memory://", "Where the rate limits are counted; a Redis URL when several processes serve."
    )
    lease: float = _setting(
        30.0, "Seconds after which a running submission whose worker is silent is judged again."
    )
    sweep: float = _setting(
        2.0,
        "Seconds between two looks for lost leases, submissions due again, and old sample runs.",
    )
    retry: float = _setting(
        2.0,
        "Seconds before the second attempt after a failure of the judge; doubled for the third.",
    )
    trial_keep: float = _setting(
        600.0,
        "Seconds for which the result of `Run samples` can be read; then nothing of it is left.",
    )
    wait_limit: float = _setting(30.0, "Longest `wait` of a request for a verdict, in seconds.")
    busy_timeout: float = _setting(5.0, "Seconds to wait for SQLite's lock before answering 503.")
    session_hours: int = _setting(336, "Hours after which a session ends.")
    form_hours: int = _setting(12, "Hours for which an open page's forms can be sent.")
    https: bool = _setting(False, "Served over HTTPS: cookies are marked Secure and HSTS is sent.")
    proxies: int = _setting(
        0, "Number of reverse proxies in front whose X-Forwarded-* headers are believed."
    )
    threads: int = _setting(32, "Threads that answer requests under `flask --app server serve`.")
    log_level: str = _setting(
        "info", "Least level that is logged.", ("debug", "info", "warning", "error")
    )

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] = os.environ) -> "Settings":
        """Read `JUDGE_*`.

        Raises `UsageError` naming the variable for an unknown choice, a wrong type or an unknown
        name.
        """
        known = {variable(f.name): f for f in fields(cls)}
        values = {}
        for name, text in _with_files(environment, set(known)).items():
            if name in known:
                values[known[name].name] = _read(
                    name, text, known[name].default, known[name].metadata["choices"]
                )
            elif name.startswith("JUDGE_"):
                raise UsageError(f"{name}: no such setting; docs/settings.md lists them all")
        return cls(**values)

    def secret(self) -> str:
        """The signing key, made and kept on first use when none is set."""
        if self.secret_key:
            return self.secret_key
        path = private_folder(Path(self.instance)) / "secret_key"
        private_file(path)
        with contextlib.suppress(FileNotFoundError):
            return path.read_text()
        draft = path.with_name(f".secret_key.{os.getpid()}")
        draft.touch(0o600)
        draft.write_text(secrets.token_urlsafe(48))
        with contextlib.suppress(FileExistsError):  # another process was first: its key counts
            os.link(draft, path)
        draft.unlink()
        return path.read_text()

    def database(self) -> str:
        """The database's URL; SQLite beside the secret when none is set."""
        if self.database_url:
            return with_password(self.database_url, self.database_password)
        return f"sqlite:///{private_folder(Path(self.instance)).resolve() / 'judge.sqlite3'}"

    def broker(self) -> str:
        """Redis's URL with its password."""
        return with_password(self.broker_url, self.broker_password)

    def limits(self) -> str:
        """Where the rate limits are counted, with its password."""
        return (
            with_password(self.limit_storage, self.broker_password)
            if self.limit_storage.startswith("redis")
            else self.limit_storage
        )

    def bank_folder(self) -> Path:
        """Where the problems are."""
        return Path(self.bank) if self.bank else default_bank()


def variable(name: str) -> str:
    """The environment variable of a field."""
    return f"JUDGE_{name.upper()}"


def with_password(url: str, password: str) -> str:
    """The URL with the password in it."""
    if not password:
        return url
    parts = urlsplit(url)
    account, _, host = parts.netloc.rpartition("@")
    return urlunsplit(
        parts._replace(netloc=f"{account.partition(':')[0]}:{quote(password, safe='')}@{host}")
    )


def _with_files(environment: Mapping[str, str], known: set[str]) -> dict[str, str]:
    """`JUDGE_X_FILE` names a file that holds what `JUDGE_X` would: so secrets stay out of the
    environment.
    """
    found = dict(environment)
    for name, path in environment.items():
        setting = name.removesuffix("_FILE")
        if name == setting or setting not in known:
            continue
        try:
            found[setting] = Path(path).read_text().strip()
        except OSError as error:
            raise UsageError(f"{name}={path}: cannot be read ({error.strerror})") from None
        del found[name]
    return found


def _read(name: str, text: str, default: Any, choices: tuple[str, ...]) -> Any:
    if choices and text not in choices:
        raise UsageError(f"{name}={text}: choose from {', '.join(choices)}")
    if isinstance(default, bool):
        if text.lower() not in ("0", "1", "true", "false", "no", "yes"):
            raise UsageError(f"{name}={text}: write true or false")
        return text.lower() in ("1", "true", "yes")
    if isinstance(default, int | float):
        try:
            value = type(default)(text)
        except ValueError:
            raise UsageError(f"{name}={text}: write a number, such as {default}") from None
        if not 0 <= value < 1e12:
            raise UsageError(f"{name}={text}: must not be below 0")
        return value
    return text
