"""What lies in the instance folder is for its owner only, whatever the umask and however it lay
there before.
"""

import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from grader.errors import UsageError
from server import create_app
from server.models import migrations
from server.private_files import private_database, private_folder
from server.settings import Settings
from server.web.context import NAME
from tests.server.conftest import sqlite_only


@pytest.fixture(params=[0o000, 0o022, 0o077], ids=oct)
def umask(request: pytest.FixtureRequest) -> Iterator[int]:
    """The process's umask during a test."""
    before = os.umask(request.param)
    yield request.param
    os.umask(before)


def modes(folder: Path) -> dict[str, int]:
    """The mode of the folder and of each file directly in it."""
    files = [folder, *(path for path in folder.iterdir() if path.is_file())]
    return {path.name: stat.S_IMODE(path.stat().st_mode) for path in files}


EXPECTED = {
    "instance": 0o700,
    "secret_key": 0o600,
    **{f"judge.sqlite3{ending}": 0o600 for ending in ("", "-wal", "-shm")},
}


def run(settings: Settings) -> dict[str, int]:
    """Starts the service, writes to the database, and looks while it is open."""
    service = create_app(settings).extensions[NAME]
    migrations.upgrade(service.database)
    found = modes(Path(settings.instance))
    service.database.close()
    return found


@sqlite_only
def test_made_private(umask: int, tmp_path: Path, bank: Path) -> None:
    assert run(Settings(instance=str(tmp_path / "instance"), bank=str(bank))) == EXPECTED


@sqlite_only
def test_what_lay_open_is_tightened(umask: int, tmp_path: Path, bank: Path) -> None:
    settings = Settings(instance=str(tmp_path / "instance"), bank=str(bank))
    folder = tmp_path / "instance"
    service = create_app(settings).extensions[NAME]
    migrations.upgrade(service.database)
    folder.chmod(0o755)
    for path in folder.iterdir():
        path.chmod(0o644)
    # the first connection is still open, so that -wal and -shm are the old ones
    assert run(settings) == EXPECTED
    service.database.close()


@sqlite_only
def test_a_database_elsewhere(umask: int, tmp_path: Path, bank: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir(mode=0o755)
    url = f"sqlite:///{elsewhere / 'site.sqlite3'}"
    service = create_app(
        Settings(instance=str(tmp_path / "instance"), bank=str(bank), database_url=url)
    ).extensions[NAME]
    migrations.upgrade(service.database)
    found = modes(elsewhere)
    service.database.close()
    assert {name: mode for name, mode in found.items() if name != "elsewhere"} == {
        f"site.sqlite3{ending}": 0o600 for ending in ("", "-wal", "-shm")
    }


def test_a_folder_that_others_use_is_not_closed_to_them(tmp_path: Path) -> None:
    shared = tmp_path / "shared"
    shared.mkdir()
    shared.chmod(0o1777)
    (shared / "of somebody").touch()
    with pytest.raises(UsageError, match=r"others use this folder.*JUDGE_INSTANCE"):
        private_folder(shared)
    assert stat.S_IMODE(shared.stat().st_mode) == 0o1777


@pytest.mark.parametrize("name", ["lost+found", "grade", ".cache"])
def test_a_new_disk_and_a_home_become_private(tmp_path: Path, name: str) -> None:
    (tmp_path / "disk" / name).mkdir(parents=True)
    folder = tmp_path / "disk"
    folder.chmod(0o755)
    assert stat.S_IMODE(private_folder(folder).stat().st_mode) == 0o700


def test_a_file_that_is_no_database_keeps_its_mode(tmp_path: Path) -> None:
    file = tmp_path / "passwd"
    file.write_text("root:x:0:0::/root:/bin/sh\n")
    file.chmod(0o644)
    private_database(f"sqlite:///{file}")
    assert stat.S_IMODE(file.stat().st_mode) == 0o644


def test_a_database_that_cannot_be_opened_is_named(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "nowhere" / "judge.sqlite3"):
        with pytest.raises(UsageError, match=f"{path}: this database cannot be opened"):
            private_database(f"sqlite:///{path}")
