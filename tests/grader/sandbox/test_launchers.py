"""Whether a room may mount a /proc of its own, read from the table of mounts; what an engine that
fails leaves behind.
"""

import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

from grader.errors import RoomError
from grader.model import Framework
from grader.sandbox import launchers, open_sandbox, zygote_client
from tests.conftest import missing

WHOLE = "22 27 0:21 / /proc rw,nosuid,nodev,noexec,relatime shared:5 - proc proc rw\n"
EMPTY = "33 22 0:31 / /proc/sys/fs/binfmt_misc rw,relatime shared:13 - autofs systemd-1 rw\n"
MASKED = "40 22 0:50 / /proc/kcore rw,nosuid - tmpfs tmpfs rw\n"


@pytest.mark.parametrize(
    ("table", "whole"),
    [
        (WHOLE, True),
        (WHOLE + EMPTY, True),
        (WHOLE + MASKED, False),
        (WHOLE + EMPTY + MASKED, False),
        (WHOLE.replace("rw,nosuid", "ro,nosuid"), False),
        (WHOLE.replace(",relatime", ",noatime"), False),
        (WHOLE.replace("0:21 /", "0:21 /sys"), False),
        (MASKED, False),
        ("", False),
    ],
)
def test_a_proc_is_whole_if_nothing_lies_over_it(tmp_path: Path, table: str, whole: bool) -> None:
    (tmp_path / "mountinfo").write_text(table)
    assert launchers._whole_proc(tmp_path / "mountinfo") is whole


def test_without_a_table_it_is_tried(tmp_path: Path) -> None:
    assert not launchers._whole_proc(tmp_path / "missing")


@pytest.mark.slow
@pytest.mark.parametrize("masked", [False, True], ids=["whole", "masked"])
def test_the_kernel_agrees(masked: bool) -> None:
    """What is found in the table, and what bubblewrap is allowed to do, where it is so."""
    mask = "mount -t tmpfs none /proc/sys/kernel; " * masked
    code = (
        "from pathlib import Path; from grader.sandbox import launchers;"
        "print(launchers._whole_proc(Path('/proc/self/mountinfo')),"
        " launchers.bubblewrap(launchers.Framework.NUMPY, 3).argv.count('--proc'))"
    )
    script = f'mount -t proc proc /proc; {mask} exec {sys.executable} -c "{code}"'
    found = subprocess.run(
        ["unshare", "--user", "--map-root-user", "--mount", "--pid", "--fork", "sh", "-c", script],
        capture_output=True,
        text=True,
        timeout=60,
    )
    if found.returncode:
        missing(f"no namespaces: {found.stderr}")
    assert found.stdout == ("False 0\n" if masked else "True 1\n")


def no_framework(framework: Framework) -> list[tuple[str, str]]:
    """Nothing to mount."""
    raise RoomError("not installed")


@pytest.mark.parametrize(
    ("gone_after", "installed", "message"),
    [
        ("image", True, "cannot start"),
        ("run", True, "does not start"),
        ("rm", True, "does not start"),
        ("nothing", False, "not installed"),
    ],
)
def test_an_engine_that_fails_leaves_no_folder(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    gone_after: str,
    installed: bool,
    message: str,
) -> None:
    """The command that reaches it is gone after one of the calls; no container starts."""
    command = tmp_path / "docker"
    command.write_text(f'#!/bin/sh\n[ "$1" != {gone_after} ] || rm "$0"\n')
    command.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    monkeypatch.setattr(zygote_client, "START_S", 0.5)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    if not installed:
        monkeypatch.setattr(launchers, "mounts", no_framework)
    with open_sandbox("docker") as sandbox, pytest.raises(RoomError, match=message):
        sandbox.room(Framework.NUMPY)
    assert not list(tmp_path.glob("grade-room-*"))


def engine(folder: Path, run: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A `docker` command whose `run` is this line of shell."""
    command = folder / "docker"
    command.write_text(f'#!/bin/sh\n[ "$1" != run ] || {{ {run}; }}\n')
    command.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:/usr/bin:/bin")


def test_a_container_that_ends_at_once_is_told_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine(tmp_path, "echo invalid mount >&2; exit 125", monkeypatch)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    started = time.monotonic()
    with open_sandbox("docker") as sandbox, pytest.raises(RoomError, match="invalid mount"):
        sandbox.room(Framework.NUMPY)
    assert time.monotonic() - started < zygote_client.START_S / 4


def test_a_socket_whose_path_is_too_long_says_what_to_set(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine(tmp_path, "exit 0", monkeypatch)
    long = tmp_path / ("a" * 100)
    long.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(long))
    with open_sandbox("docker") as sandbox, pytest.raises(RoomError, match="set TMPDIR to"):
        sandbox.room(Framework.NUMPY)
    assert not list(long.glob("grade-room-*"))
