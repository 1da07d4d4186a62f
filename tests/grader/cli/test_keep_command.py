"""`grade run` leaves a room warm for the next run when it is asked to, or at a terminal."""

import contextlib
import os
import pty
import resource
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from grader.cli.judging import keeping
from grader.cli.main import grade
from grader.errors import UsageError
from grader.sandbox import SandboxPool
from grader.sandbox.keep import client, stop
from tests import ROOT
from tests.grader import small

RIGHT = small.REFERENCE
WRONG = small.REFERENCE.replace("q @ k.T", "2 * q @ k.T")
pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the keeper is for Linux")


@pytest.fixture
def folder(sandbox: SandboxPool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A small bank, a file, and a home of its own whose keeper ends with the test."""
    small.write(tmp_path / "bank")
    monkeypatch.setenv("GRADE_BANK", str(tmp_path / "bank"))
    monkeypatch.setenv("GRADE_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("GRADE_KEEP")
    monkeypatch.delenv("CI", raising=False)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "scores.py").write_text(RIGHT)
    yield tmp_path
    stop(keeping.folder())
    assert not client._locked(keeping.folder())


def shell(*words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "grader.cli", *words],
        env={**os.environ, "PYTHONPATH": str(ROOT), "COLUMNS": "100", **environment},
        capture_output=True,
        text=True,
        timeout=180,
    )


def at_a_terminal(*words: str, **environment: str) -> tuple[int, str]:
    """The command as a person starts it: exit status and what is seen."""
    pid, terminal = pty.fork()
    if pid == 0:
        names = {"PYTHONPATH": str(ROOT), "TERM": "xterm", "COLUMNS": "100", **environment}
        os.execve(
            sys.executable,
            [sys.executable, "-m", "grader.cli", *words],
            {**os.environ, **names},
        )
    text = b""
    with contextlib.suppress(OSError):
        while data := os.read(terminal, 65536):
            text += data
    os.close(terminal)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), text.decode()


def keeper() -> int:
    """The process id of the keeper; 0 without one."""
    path = keeping.folder() / client.LOCK
    return int(path.read_text() or 0) if client._locked(keeping.folder()) else 0


def said(*words: str) -> str:
    return CliRunner(env={"COLUMNS": "100"}).invoke(grade, list(words)).output


def eventually(reached: Callable[[], bool]) -> bool:
    end = time.monotonic() + 60
    while time.monotonic() < end:
        if reached():
            return True
        time.sleep(0.02)
    return False


def test_a_second_run_uses_the_room_of_the_first(folder: Path) -> None:
    cold = shell("run", "scores.py", "--no-keep")
    assert keeper() == 0
    first = shell("run", "scores.py", "--keep")
    pid = keeper()
    assert pid and "numpy: warm, for 10 minutes more" in said("keep")
    room = Path(f"/proc/{pid}/task/{pid}/children").read_text()
    second = shell("run", "scores.py", "--keep")
    assert keeper() == pid and Path(f"/proc/{pid}/task/{pid}/children").read_text() == room != ""
    for each in (cold, first, second):
        assert (each.returncode, each.stderr) == (0, "") and "✓ accepted" in each.stdout


@pytest.mark.parametrize("lowered", ["nice -n 5", "sh -c 'ulimit -S -n 512; exec \"$@\"' sh"])
def test_a_run_with_its_own_priority_and_limits_leaves_no_later_one_a_room_with_them(
    folder: Path, lowered: str
) -> None:
    run = [sys.executable, "-m", "grader.cli", "run", "scores.py", "--keep"]
    names = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run([*shlex.split(lowered), *run], env=names, timeout=180)
    first = keeper()
    assert done.returncode == 0 and inherited(first) != inherited(os.getpid())
    assert shell("run", "scores.py", "--keep").returncode == 0
    assert keeper() not in (0, first)
    assert inherited(keeper()) == inherited(os.getpid())


def inherited(pid: int) -> tuple[int, tuple[int, int]]:
    return os.getpriority(os.PRIO_PROCESS, pid), resource.prlimit(pid, resource.RLIMIT_NOFILE)


@pytest.mark.parametrize("command", ["run", "trace", "shrink"])
def test_each_client_gets_its_own_report(folder: Path, command: str) -> None:
    """Language, format and bank are the client's; the keeper knows none of them."""
    Path("scores.py").write_text(WRONG)
    for words in ([], ["--lang", "zh"], ["--format", "json"]):
        cold = CliRunner(env={"COLUMNS": "100"}).invoke(
            grade, [command, "scores.py", "--no-keep", *words], standalone_mode=False
        )
        kept = shell(command, "scores.py", "--keep", *words)
        assert kept.returncode == cold.return_value == 1 and keeper()
        same = [
            [line for line in each.stdout.splitlines() if "_ms" not in line and " ms" not in line]
            for each in (kept, cold)
        ]
        assert same[0] == same[1] and kept.stderr == ""


@pytest.mark.parametrize(
    ("environment", "words", "stays"),
    [
        ({}, [], True),
        ({}, ["--no-keep"], False),
        ({"CI": "true"}, [], False),
        ({"CI": "true"}, ["--keep"], True),
        ({"GRADE_KEEP": "never"}, [], False),
        ({"GRADE_KEEP": "never"}, ["--keep"], True),
        ({"GRADE_KEEP": "auto"}, [], True),
        ({}, ["--isolation", "process"], False),
    ],
    ids=str,
)
def test_at_a_terminal_a_room_stays(
    folder: Path, environment: dict[str, str], words: list[str], stays: bool
) -> None:
    status, text = at_a_terminal("run", "scores.py", *words, **environment)
    assert (status, bool(keeper())) == (0, stays), text


@pytest.mark.parametrize(
    ("environment", "stays"),
    [({}, False), ({"GRADE_KEEP": "always"}, True), ({"GRADE_KEEP": ""}, False)],
    ids=str,
)
def test_a_program_leaves_nothing_behind(
    folder: Path, environment: dict[str, str], stays: bool
) -> None:
    assert shell("run", "scores.py", **environment).returncode == 0
    assert bool(keeper()) is stays


def test_a_setting_that_is_none_is_said(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = shell("run", "scores.py", GRADE_KEEP="yes")
    assert (found.returncode, found.stderr) == (
        2,
        "grade: GRADE_KEEP is 'yes'; it may be auto, always, never\n",
    )
    monkeypatch.setenv("GRADE_KEEP", "yes")
    with pytest.raises(UsageError):
        keeping.rooms_kept(None)
    assert keeping.rooms_kept(False) is None


def test_keep_says_what_is_warm_and_ends_it(folder: Path) -> None:
    assert said("keep") == said("keep", "--stop") == "no room is kept warm\n"
    shell("run", "scores.py", "--keep")
    pid = keeper()
    assert said("keep", "--stop") == "the rooms that were warm have ended\n"
    assert keeper() == 0 and not Path(f"/proc/{pid}/exe").exists()
    assert said("keep") == "no room is kept warm\n"


def test_ctrl_c_ends_the_run_and_leaves_the_room(folder: Path) -> None:
    Path("scores.py").write_text("import time\ntime.sleep(600)\n")
    small.write(folder / "bank", toml=small.TOML + "\n[limits]\nwall_s = 120")
    assert shell("keep").returncode == 0
    with subprocess.Popen(
        [sys.executable, "-m", "grader.cli", "run", "scores.py", "--keep"],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as grading:
        assert eventually(lambda: bool(keeper()) and len(below(keeper())) > 3)
        time.sleep(0.5)
        os.killpg(grading.pid, signal.SIGINT)
        out, err = grading.communicate(timeout=120)
        assert grading.returncode == 130 and "Traceback" not in out + err
    assert eventually(lambda: len(below(keeper())) == 3)  # the room, and no container


def below(pid: int) -> list[int]:
    with contextlib.suppress(OSError):
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
        return [each for c in map(int, children) for each in (c, *below(c))]
    return []
