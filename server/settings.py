"""Every setting of the service: one field each, with its type, its default and its meaning.

docs/settings.md lists them; a test holds the page against this file. docs/design/libraries.md says
why pydantic checks the values, and why the environment is read here.
"""

import contextlib
import os
import secrets
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Literal, Self, get_args

from limits import parse_many
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError
from pydantic_core import ErrorDetails

from grader.errors import UsageError
from grader.problem import default_bank, did_you_mean
from grader.source import MAX_BYTES
from server.private_files import private_file, private_folder
from server.urls import read_broker, read_database, read_storage, with_password

PREFIX = "JUDGE_"

Isolation = Literal["bubblewrap", "docker", "process"]
SignUp = Literal["open", "invitation", "closed"]
LogLevel = Literal["debug", "info", "warning", "error"]


def _read_limits(text: str) -> str:
    try:
        parse_many(text)
    except ValueError:
        raise ValueError("write limits, such as 30/minute;1000/day") from None
    return text


Count = Annotated[int, Field(ge=0, lt=10**12)]
AtLeastOne = Annotated[int, Field(ge=1, lt=10**12)]
Hours = Annotated[int, Field(ge=1, lt=10**5)]
Threads = Annotated[int, Field(ge=1, lt=10**4)]
Seconds = Annotated[float, Field(ge=0, lt=10**9, allow_inf_nan=False)]
Pause = Annotated[float, Field(ge=0.01, lt=10**9, allow_inf_nan=False)]
Limits = Annotated[str, AfterValidator(_read_limits)]


class Settings(BaseModel):
    """The settings of one process; the variable of a field is `JUDGE_` and its name in capitals."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    title: str = "Attention, by hand"
    """Title of the site."""
    instance: str = "instance"
    """Folder for what the service keeps beside the database: the generated secret, SQLite's file,
    published problems (`published/`), the worker's sign of life (`alive`). A relative one is below
    the folder in which a command is run.
    """
    database_url: Annotated[str, AfterValidator(read_database)] = ""
    """SQLAlchemy URL of the database; empty: SQLite in the instance folder."""
    database_password: str = Field(default="", repr=False)
    """Password that is put into the database's URL."""
    broker_url: Annotated[str, AfterValidator(read_broker)] = ""
    """Redis URL of the queue between machines; empty: threads of this process judge."""
    broker_password: str = Field(default="", repr=False)
    """Password that is put into the Redis URLs."""
    metrics_token: str = Field(default="", repr=False)
    """Bearer token with which /metrics can be read; empty: there is no such page."""
    secret_key: str = Field(default="", repr=False)
    """Signs sessions and forms; empty: made once and kept in the instance folder, readable by its
    owner only.
    """
    bank: str = ""
    """Folder with problems/ and reference/; empty: the bank that `grade` would use."""
    isolation: Isolation = "bubblewrap"
    """Launcher of the sealed room."""
    workers: Annotated[int, Field(ge=0, lt=1000)] = 2
    """Threads that judge inside this process, or processes of a Celery worker; 0: none (judge
    with `flask --app server worker`).
    """
    seed: Count = 0
    """Public seed of the hidden inputs, as in `grade run --seed`; the installation's own secret
    is mixed in.
    """
    sign_up: SignUp = "open"
    """Who may make an account: anyone; holders of an invitation code; or, under `closed`, who comes
    by the link of an invitation, and others are shown no form.
    """
    source_limit: AtLeastOne = MAX_BYTES
    """Largest source that is accepted, in bytes of UTF-8."""
    submit_limit: Limits = "30/minute;1000/day"
    """Submissions and sample runs a learner may send."""
    sign_in_limit: Limits = "10/minute"
    """Attempts to sign in from one address."""
    sign_up_limit: Limits = "20/hour"
    """Accounts made, and passwords reset, from one address."""
    visitors: bool = True
    """Visitors may run the samples of the first exercise, where anyone may make an account."""
    visitor_limit: Limits = "6/minute;60/hour"
    """Sample runs of visitors from one address."""
    link_limit: Limits = "60/hour"
    """Reset links and invitations that one account may make."""
    limit_storage: Annotated[str, AfterValidator(read_storage)] = "memory://"
    """Where the rate limits are counted; a Redis URL when several processes serve."""
    lease: Seconds = 30.0
    """Seconds after which a running submission whose worker is silent is judged again."""
    sweep: Pause = 2.0
    """Seconds between two looks for lost leases, submissions due for a retry, drafts to publish,
    and expired sample runs; also the pause before a room is tried again.
    """
    retry: Seconds = 2.0
    """Seconds before the second attempt after a failure of the judge; doubled for the third."""
    trial_keep: Seconds = 600.0
    """Seconds for which the result of `Run samples` can be read; then nothing of it is left."""
    wait_limit: Seconds = 30.0
    """Longest `wait` of a request for a verdict, in seconds."""
    busy_timeout: Seconds = 5.0
    """Seconds to wait for SQLite's lock before answering 503."""
    session_hours: Hours = 336
    """Hours after which a session ends."""
    form_hours: Hours = 12
    """Hours for which an open page's forms can be sent."""
    https: bool = False
    """Served over HTTPS: cookies are marked Secure and HSTS is sent."""
    proxies: Count = 0
    """Number of reverse proxies in front whose X-Forwarded-* headers are believed."""
    threads: Threads = 32
    """Threads that answer requests under `flask --app server serve`."""
    log_level: LogLevel = "info"
    """Least level that is logged."""

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] = os.environ) -> Self:
        """Reads the variables `JUDGE_*`.

        Raises `UsageError` with one line for each unknown name and each value that is not valid.
        """
        known = {variable(name): name for name in cls.model_fields}
        texts = {n: t for n, t in _with_files(environment, known).items() if n.startswith(PREFIX)}
        problems = [_unknown(name, known) for name in texts if name not in known]
        problems += [f"{name}: is not UTF-8 text" for name in texts if not _is_utf8(texts[name])]
        values = {known[name]: text for name, text in texts.items() if name in known}
        try:
            settings = cls.model_validate(values)
        except ValidationError as error:
            problems += [_sentence(details) for details in error.errors()]
        else:
            problems += _together(settings)
        if problems:
            raise UsageError("\n".join(problems))
        return settings

    def secret(self) -> str:
        """Returns the signing key; makes one on first use, and keeps it, when none is set."""
        if self.secret_key:
            return self.secret_key
        path = private_folder(Path(self.instance)) / "secret_key"
        if (kept := _kept(path)) is not None:
            return kept
        draft = path.with_name(f".secret_key.{os.getpid()}")
        draft.touch(0o600)
        draft.write_text(secrets.token_urlsafe(48))
        with contextlib.suppress(FileExistsError):  # another process was first: its key counts
            os.link(draft, path)
        draft.unlink()
        return path.read_text()

    def database(self) -> str:
        """Returns the URL of the database; SQLite beside the secret when none is set."""
        if self.database_url:
            return with_password(self.database_url, self.database_password)
        return f"sqlite:///{private_folder(Path(self.instance)).resolve() / 'judge.sqlite3'}"

    def broker(self) -> str:
        """Returns the URL of Redis with its password."""
        return with_password(self.broker_url, self.broker_password)

    def limits(self) -> str:
        """Returns where the rate limits are counted, with the password."""
        if self.limit_storage.startswith("redis"):
            return with_password(self.limit_storage, self.broker_password)
        return self.limit_storage

    def bank_folder(self) -> Path:
        """Returns the folder of the bank."""
        return Path(self.bank) if self.bank else default_bank()


def _kept(path: Path) -> str | None:
    """Returns the key that was made before; None when there is none.

    Raises `UsageError` when the file cannot be read, or is empty.
    """
    try:
        private_file(path)
        if key := path.read_text().strip():
            return key
        trouble = "it is empty"
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError) as error:
        trouble = getattr(error, "strerror", None) or "it is not UTF-8 text"
    raise UsageError(
        f"{path}: the key cannot be read: {trouble}; run this as the account that owns the file, or"
        " remove it, and everybody signs in again"
    )


def variable(name: str) -> str:
    """Returns the environment variable of a field."""
    return f"{PREFIX}{name.upper()}"


def _with_files(environment: Mapping[str, str], known: Mapping[str, str]) -> dict[str, str]:
    """Returns the variables, with the content of the file that `JUDGE_X_FILE` names as `JUDGE_X`.

    A file keeps a secret out of the environment. Raises `UsageError` when it cannot be read.
    """
    variables = dict(environment)
    for name, path in environment.items():
        setting = name.removesuffix("_FILE")
        if name == setting or setting not in known:
            continue
        try:
            variables[setting] = Path(path).read_text().strip()
        except OSError as error:
            raise UsageError(f"{name}={path}: cannot be read ({error.strerror})") from None
        except UnicodeDecodeError:
            raise UsageError(f"{name}={path}: is not UTF-8 text") from None
        if not variables[setting]:
            raise UsageError(f"{name}={path}: is empty; write the value into it")
        del variables[name]
    return variables


def _is_utf8(text: str) -> bool:
    """Checks a variable: Python keeps bytes that are not UTF-8 as lone surrogates."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _unknown(name: str, known: Mapping[str, str]) -> str:
    return f"{name}: no such setting{did_you_mean(name, known)}; docs/settings.md lists them all"


def _together(settings: Settings) -> list[str]:
    """Returns what is wrong with values that are valid each by itself."""
    if settings.lease > settings.sweep:
        return []
    return [
        f"JUDGE_LEASE={settings.lease}: must be above JUDGE_SWEEP={settings.sweep}, which renews it"
    ]


def _sentence(details: ErrorDetails) -> str:
    """Returns what is wrong with a value, and what to write instead."""
    field = str(details["loc"][0])
    # a URL may have a password in it
    given = "" if field.endswith(("_url", "_storage")) else f"={details['input']}"
    return f"{variable(field)}{given}: {_remedy(details, field)}"


def _remedy(details: ErrorDetails, field: str) -> str:
    setting = Settings.model_fields[field]
    match details["type"]:
        case "literal_error":
            return f"choose from {', '.join(get_args(setting.annotation))}"
        case "bool_parsing":
            return "write true or false"
        case "greater_than_equal":
            return f"must not be below {details['ctx']['ge']}"
        case "less_than":
            return f"must be below {details['ctx']['lt']:.0f}"
        case "value_error":
            return str(details["ctx"]["error"])
        case _:
            return f"write a number, such as {setting.default}"
