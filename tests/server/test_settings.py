"""Settings from the environment, and the page that lists them."""

import stat
from dataclasses import fields
from pathlib import Path

import pytest

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
        ("JUDGE_LEASE", "nan", "must not be below 0"),
    ],
)
def test_wrong_settings_are_named(name: str, value: str, message: str) -> None:
    with pytest.raises(UsageError, match=f"{name}.*{message}"):
        Settings.from_environment({name: value})


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


def test_the_title_is_shown(make_app: MakeApp) -> None:
    assert "Our course" in make_app(title="Our course").test_client().get("/").text


def test_docs_list_every_setting() -> None:
    page = (REPOSITORY / "docs" / "settings.md").read_text()
    rows = {
        row.split("|")[1].strip().strip("`"): [cell.strip() for cell in row.split("|")]
        for row in page.splitlines()
        if row.startswith("| `JUDGE_")
    }
    assert sorted(rows) == sorted(variable(f.name) for f in fields(Settings))
    for f in fields(Settings):
        default, meaning = rows[variable(f.name)][2:4]
        assert default == (
            f"`{str(f.default).lower() if isinstance(f.default, bool) else f.default}`"
            if f.default != ""
            else ""
        )
        assert meaning == f.metadata["doc"]
