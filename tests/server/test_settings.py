"""Settings from the environment, and the page that lists them."""

import json
import os
import runpy
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from pydantic.fields import FieldInfo

from grader.errors import UsageError
from server.settings import Settings, variable
from tests.server.conftest import REPOSITORY, MakeApp


def test_read_from_the_environment() -> None:
    found = Settings.from_environment(
        {
            "JUDGE_TITLE": "Mine",
            "JUDGE_WORKERS": "3",
            "JUDGE_HTTPS": "true",
            "JUDGE_LEASE": "2.5",
            "PATH": "/bin",
        }
    )
    assert (found.title, found.workers, found.https, found.lease) == ("Mine", 3, True, 2.5)


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("JUDGE_TITEL", "x", "no such setting"),
        ("JUDGE_WORKERS", "many", "write a number, such as 2"),
        ("JUDGE_WORKERS", "-1", "must not be below 0"),
        ("JUDGE_SIGN_UP", "maybe", "choose from open, invitation, closed"),
        ("JUDGE_HTTPS", "perhaps", "write true or false"),
        ("JUDGE_LEASE", "nan", "write a number, such as 30.0"),
        ("JUDGE_LEASE", "inf", "write a number, such as 30.0"),
        ("JUDGE_LEASE", "1e13", "must be below 1000000000"),
        ("JUDGE_LEASE", "", "write a number, such as 30.0"),
        ("JUDGE_WORKERS", "2.5", "write a number, such as 2"),
        ("JUDGE_ISOLATION", "chroot", "choose from bubblewrap, docker, process"),
        ("JUDGE_THREADS", "0", "must not be below 1"),
        ("JUDGE_WORKERS", "1000000", "must be below 1000"),
        ("JUDGE_SWEEP", "0", "must not be below 0.01"),
        ("JUDGE_LEASE", "2", "must be above JUDGE_SWEEP=2.0, which renews it"),
        ("JUDGE_SESSION_HOURS", "99999999999", "must be below 100000"),
        ("JUDGE_DATABASE_URL", "sqlite://", "write a URL such as postgresql"),
        ("JUDGE_BROKER_URL", "redis://redis:port/0", "write the URL of a Redis, such as"),
        ("JUDGE_LIMIT_STORAGE", "redis://redis:port", "write memory://, or the URL of a Redis"),
        ("JUDGE_LIMIT_STORAGE", "redis+sentinel://redis:26379", "write its name behind it"),
        ("JUDGE_SUBMIT_LIMIT", "often", "write limits, such as 30/minute;1000/day"),
        ("JUDGE_SIGN_IN_LIMIT", "", "write limits, such as 30/minute;1000/day"),
        ("JUDGE_DATABASE_URL", "judge.sqlite3", "write a URL such as postgresql"),
        ("JUDGE_DATABASE_URL", "mysql://judge@db/judge", "write a URL such as postgresql"),
        ("JUDGE_DATABASE_URL", "postgresql+psycopg://judge@db:port/x", "write a URL such as"),
        ("JUDGE_BROKER_URL", "redis:6379", "write the URL of a Redis, such as redis://"),
        ("JUDGE_LIMIT_STORAGE", "nowhere", "write memory://, or the URL of a Redis"),
        ("JUDGE_TITLE", "half \udcff", "is not UTF-8 text"),
    ],
)
def test_wrong_settings_are_named(name: str, value: str, message: str) -> None:
    with pytest.raises(UsageError, match=f"{name}.*{message}"):
        Settings.from_environment({name: value})


@pytest.mark.parametrize(
    ("name", "value", "package"),
    [
        ("JUDGE_DATABASE_URL", "postgresql+psycopg://judge@db/judge", "psycopg"),
        ("JUDGE_BROKER_URL", "redis://redis:6379/0", "celery"),
        ("JUDGE_LIMIT_STORAGE", "redis://redis:6379/1", "redis"),
    ],
)
def test_a_package_that_a_url_needs_is_named(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str, package: str
) -> None:
    monkeypatch.setitem(sys.modules, package, None)  # as if it were not installed
    with pytest.raises(UsageError, match=rf"{name}: needs the Python package {package}.*\[scale\]"):
        Settings.from_environment({name: value})


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("JUDGE_BROKER_URL", "sentinel://one:26379;sentinel://two:26379"),
        ("JUDGE_BROKER_URL", "redis+socket:///run/redis.sock"),
        ("JUDGE_LIMIT_STORAGE", "redis+sentinel://one:26379,two:26379/mymaster"),
        ("JUDGE_LIMIT_STORAGE", "redis+unix:///run/redis.sock"),
    ],
)
def test_other_ways_to_a_redis(name: str, value: str) -> None:
    assert value in repr(Settings.from_environment({name: value}))


def test_a_password_in_a_url_is_not_shown() -> None:
    with pytest.raises(UsageError) as error:
        Settings.from_environment({"JUDGE_DATABASE_URL": "mysql://judge:hush@db/judge"})
    assert "hush" not in str(error.value)


def test_a_file_that_is_not_text_is_named(tmp_path: Path) -> None:
    (tmp_path / "key").write_bytes(b"\xff")
    with pytest.raises(UsageError, match=r"JUDGE_SECRET_KEY_FILE=.*key: is not UTF-8 text"):
        Settings.from_environment({"JUDGE_SECRET_KEY_FILE": str(tmp_path / "key")})


def test_an_empty_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "key").write_text("\n")
    with pytest.raises(UsageError, match=r"JUDGE_SECRET_KEY_FILE=.*key: is empty"):
        Settings.from_environment({"JUDGE_SECRET_KEY_FILE": str(tmp_path / "key")})


def test_secrets_from_files(tmp_path: Path) -> None:
    (tmp_path / "password").write_text("p@ss/word\n")
    files = {
        "JUDGE_DATABASE_PASSWORD_FILE": str(tmp_path / "password"),
        "JUDGE_BROKER_PASSWORD_FILE": str(tmp_path / "password"),
    }
    urls = {
        "JUDGE_DATABASE_URL": "postgresql+psycopg://judge@db:5432/judge",
        "JUDGE_BROKER_URL": "redis://redis:6379/0",
    }
    found = Settings.from_environment(
        files | urls | {"JUDGE_LIMIT_STORAGE": "redis://redis:6379/1"}
    )
    assert found.database() == "postgresql+psycopg://judge:p%40ss%2Fword@db:5432/judge"
    assert (found.broker(), found.limits()) == (
        "redis://:p%40ss%2Fword@redis:6379/0",
        "redis://:p%40ss%2Fword@redis:6379/1",
    )
    with pytest.raises(UsageError, match=r"JUDGE_TITLE_FILE=.*cannot be read"):
        Settings.from_environment({"JUDGE_TITLE_FILE": str(tmp_path / "none")})


def test_the_secret_is_made_once_and_kept_close(tmp_path: Path) -> None:
    settings = Settings(instance=str(tmp_path / "new"))
    first = settings.secret()
    assert first == Settings(instance=str(tmp_path / "new")).secret()
    assert len(first) > 40
    path = tmp_path / "new" / "secret_key"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [p.name for p in path.parent.iterdir()] == ["secret_key"]


@pytest.mark.parametrize("content", [b"", b"\n", b"\xff"])
def test_a_key_that_cannot_be_read_is_named(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "secret_key").write_bytes(content)
    with pytest.raises(UsageError, match=r"secret_key: the key cannot be read: it is"):
        Settings(instance=str(tmp_path)).secret()


def test_the_title_is_shown(make_app: MakeApp) -> None:
    assert "Our course" in make_app(title="Our course").test_client().get("/").text


def test_docs_list_every_setting() -> None:
    page = (REPOSITORY / "docs" / "settings.md").read_text()
    rows = [row for row in page.splitlines() if row.startswith("| `JUDGE_")]
    assert rows == [row(name, field) for name, field in Settings.model_fields.items()]


def row(name: str, field: FieldInfo) -> str:
    """The row of docs/settings.md."""
    default, meaning = field.default, " ".join((field.description or "").split())
    text = str(default).lower() if isinstance(default, bool) else str(default)
    return f"| `{variable(name)}` | {text and f'`{text}`'} | {meaning} |"


@pytest.mark.parametrize("name", Settings.model_fields)
def test_every_setting_has_a_meaning(name: str) -> None:
    assert (Settings.model_fields[name].description or "").rstrip().endswith(".")


def test_every_mistake_is_named_at_once() -> None:
    with pytest.raises(UsageError) as error:
        Settings.from_environment(
            {"JUDGE_TITEL": "x", "JUDGE_WORKERS": "many", "JUDGE_LOG_LEVEL": "loud", "HOME": "/"}
        )
    assert str(error.value).splitlines() == [
        "JUDGE_TITEL: no such setting (did you mean 'JUDGE_TITLE'?); docs/settings.md lists them"
        " all",
        "JUDGE_WORKERS=many: write a number, such as 2",
        "JUDGE_LOG_LEVEL=loud: choose from debug, info, warning, error",
    ]


@pytest.mark.parametrize(
    ("text", "value"),
    [("true", True), ("Yes", True), ("1", True), ("FALSE", False), ("no", False), ("0", False)],
)
def test_truth_values(text: str, value: bool) -> None:
    assert Settings.from_environment({"JUDGE_HTTPS": text}).https is value


def test_what_is_given_in_code_is_checked_too_and_the_environment_is_not_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("JUDGE_WORKERS", "7")
    assert Settings().workers == 2
    with pytest.raises(ValueError, match="workers"):
        Settings(workers=-1)
    with pytest.raises(ValueError, match="titel"):
        Settings(**{"titel": "x"})
    with pytest.raises(ValueError, match="frozen"):
        Settings().workers = 3  # type: ignore[misc]


def test_gunicorn_ends_with_a_line_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JUDGE_WORKERS", "many")
    gunicorn = runpy.run_path(str(REPOSITORY / "docker" / "gunicorn.conf.py"))
    with pytest.raises(SystemExit, match="Error: JUDGE_WORKERS=many: write a number"):
        gunicorn["on_starting"](None)


def test_secrets_are_not_shown() -> None:
    secrets = ("database_password", "broker_password", "metrics_token", "secret_key")
    assert "hush" not in repr(Settings(**dict.fromkeys(secrets, "hush")))


WRONG = {
    "a value": ({"JUDGE_WORKERS": "many"}, [], "JUDGE_WORKERS=many: write a number, such as 2"),
    "a folder as database": (
        {"JUDGE_DATABASE_URL": "sqlite:////etc"},
        [],
        "/etc: this database cannot be opened: Is a directory",
    ),
    "a folder": ({"JUDGE_INSTANCE": "/dev/null/x"}, [], "name another in JUDGE_INSTANCE"),
    "a port": ({}, ["--port", "99999"], "99999 is not in the range"),
    "a host": ({}, ["--host", "nowhere.invalid"], "choose others with --host and --port"),
}


# `flask --app server serve` of each, in a process that has imported the service already
EACH = """
import json, os, sys
import server
from flask.cli import main
for log, changed, words in json.loads(sys.argv[1]):
    if pid := os.fork():
        print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), flush=True)
        continue
    os.dup2(os.open(log, os.O_CREAT | os.O_WRONLY), 2)
    os.environ.update(changed)
    sys.argv = ["flask", "--app", "server", "serve", *words]
    main()
    sys.exit(0)
"""


@pytest.fixture(scope="module")
def started(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[int, str]]:
    """What each ended with, and what it said."""
    folder = tmp_path_factory.mktemp("started")
    logs = {name: folder / f"{name}.log" for name in WRONG}
    asked = [(str(logs[name]), changed, words) for name, (changed, words, _) in WRONG.items()]
    done = subprocess.run(
        [sys.executable, "-c", EACH, json.dumps(asked)],
        env=os.environ | {"JUDGE_INSTANCE": str(folder)},
        cwd=REPOSITORY,
        capture_output=True,
        text=True,
        timeout=300,
        check=True,
    )
    codes = map(int, done.stdout.split())
    return {n: (code, logs[n].read_text()) for n, code in zip(WRONG, codes, strict=True)}


@pytest.mark.parametrize("name", WRONG)
@pytest.mark.slow
def test_what_a_server_cannot_start_with_is_said_in_a_line(
    started: dict[str, tuple[int, str]], name: str
) -> None:
    code, stderr = started[name]
    assert code != 0
    assert WRONG[name][2] in stderr and "Traceback" not in stderr
