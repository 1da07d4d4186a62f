"""Rooms that stay warm between runs: who may use one, when it ends, and that nothing depends on it."""

import contextlib
import json
import os
import re
import signal
import socket
import stat
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from grader.judge import judge
from grader.model import Framework, Outcome, Submission, Verdict
from grader.problem import Problem
from grader.sandbox import Keep, SandboxPool, open_sandbox
from grader.sandbox.keep import client, status, stop
from grader.sandbox.keep.room import KeptRoom
from tests import ROOT

NUMPY = Framework.NUMPY
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="the keeper is for Linux"),
]


@pytest.fixture
def keep(sandbox: SandboxPool, tmp_path: Path) -> Iterator[Keep]:
    """A place of its own for each test; nothing is left of it."""
    found = Keep(tmp_path / "room", "version 1")
    yield found
    stop(found.folder)
    assert not there(found)


def there(keep: Keep) -> bool:
    """Does a keeper live?"""
    with contextlib.suppress(OSError):
        return client._locked(keep.folder)
    return False


def keeper(keep: Keep) -> int:
    """Its process id."""
    return int((keep.folder / client.LOCK).read_text())


def eventually(reached: Callable[[], bool]) -> bool:
    """Waits for something that takes a moment; only against hangs."""
    end = time.monotonic() + 60
    while time.monotonic() < end:
        if reached():
            return True
        time.sleep(0.02)
    return False


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def below(pid: int) -> list[int]:
    """Every process below one."""
    with contextlib.suppress(OSError):
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
        return [each for c in map(int, children) for each in (c, *below(c))]
    return []


def open_files(pid: int) -> set[str]:
    """What a process has open, without what it closes meanwhile: the last client's connection."""
    found = set()
    for descriptor in Path(f"/proc/{pid}/fd").iterdir():
        with contextlib.suppress(FileNotFoundError):
            found.add(os.readlink(descriptor))
    return found


def room_of(keep: Keep) -> int:
    """The launcher of the room that a client gets, which must be a kept one."""
    with open_sandbox(keep=keep) as rooms:
        room = rooms.room(NUMPY)
        assert isinstance(room, KeptRoom)
        return room.pid


def verdict(keep: Keep | None, problem: Problem, source: str = "") -> Verdict:
    with open_sandbox(keep=keep) as rooms:
        return judge(problem, Submission(NUMPY, source or problem.references[NUMPY]), rooms)


def accepted(keep: Keep | None, problem: Problem) -> bool:
    return verdict(keep, problem).verdict is Outcome.ACCEPTED


# -- what it is for


def test_the_next_run_finds_the_room_warm(keep: Keep, attention: Problem) -> None:
    assert status(keep.folder) is None
    assert accepted(keep, attention)
    first = room_of(keep)
    assert accepted(keep, attention)
    assert room_of(keep) == first and alive(first)
    assert "numpy" in (status(keep.folder) or {})  # answers may have needed the other one, too
    assert 0 < (status(keep.folder) or {})["numpy"] <= client.IDLE_S


@pytest.mark.torch
def test_each_framework_has_its_room(keep: Keep, attention: Problem) -> None:
    with open_sandbox(keep=keep) as rooms:
        for framework in Framework:
            submission = Submission(framework, attention.references[framework])
            assert judge(attention, submission, rooms).verdict is Outcome.ACCEPTED
            assert isinstance(rooms.room(framework), KeptRoom)
    assert set(status(keep.folder) or {}) == {"numpy", "torch"}


def test_a_kept_room_judges_as_a_cold_one_does(keep: Keep, attention: Problem) -> None:
    """Also what fails, dies, prints or takes too long."""
    mistake = next(m.sources[NUMPY] for m in attention.mistakes if NUMPY in m.sources)
    soon = replace(attention, limits=replace(attention.limits, wall_s=1.0))
    ends = [
        mistake,
        "import os\nos.kill(os.getpid(), 9)",
        "import os\nos._exit(3)",
        "print('x' * 1000)\ndef scaled_dot_product_attention(",
    ]
    endless = "def scaled_dot_product_attention(q, k, v, scale=None):\n    while True: pass"
    for source, problem in [*((source, attention) for source in ends), (endless, soon)]:
        kept, cold = verdict(keep, problem, source), verdict(None, problem, source)
        assert kept.verdict is not Outcome.ACCEPTED
        for one, other in zip(kept.cases, cold.cases, strict=True):
            assert (one.name, one.verdict, one.message) == (
                other.name,
                other.verdict,
                other.message,
            )
    assert accepted(keep, attention)


def test_two_clients_at_once_share_a_room(keep: Keep, attention: Problem) -> None:
    room = room_of(keep)
    ends: list[bool] = []
    threads = [
        threading.Thread(target=lambda: ends.append(accepted(keep, attention))) for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert ends == [True] * 4 and room_of(keep) == room


# -- when it ends


def test_it_ends_when_nobody_uses_it(keep: Keep, attention: Problem) -> None:
    short = replace(keep, idle_s=0.5)
    assert accepted(short, attention)
    pid = keeper(short)
    assert eventually(lambda: not there(short))
    assert eventually(lambda: not alive(pid)) and not (keep.folder / client.SOCKET).exists()
    assert accepted(short, attention)  # and the next one starts another


def test_a_room_in_use_is_not_idle(keep: Keep) -> None:
    short = replace(keep, idle_s=0.2)
    with open_sandbox(keep=short) as rooms:
        room = rooms.room(NUMPY)
        time.sleep(5)  # the keeper looks every two seconds
        assert alive(room.pid) and there(short)
        rooms.room(NUMPY).take(64).close()
    assert eventually(lambda: not there(short))


def test_another_version_of_the_judge_gets_another_room(keep: Keep) -> None:
    old, first = room_of(keep), keeper(keep)
    new = replace(keep, version="version 2")
    assert eventually(lambda: room_of(new) != old)
    assert keeper(new) != first
    assert eventually(lambda: not alive(old) and not alive(first))


def test_it_ends_when_its_socket_is_gone(keep: Keep) -> None:
    room, pid = room_of(keep), keeper(keep)
    (keep.folder / client.SOCKET).unlink()
    assert eventually(lambda: not alive(pid)) and eventually(lambda: not alive(room))


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL])
def test_it_ends_on_a_signal_and_its_rooms_with_it(
    keep: Keep, attention: Problem, how: signal.Signals
) -> None:
    room, pid = room_of(keep), keeper(keep)
    inside = below(room)
    assert inside
    os.kill(pid, how)
    assert eventually(lambda: not any(map(alive, (pid, room, *inside))))
    # what is left of it, such as its socket, is replaced
    assert (keep.folder / client.SOCKET).exists() is (how is signal.SIGKILL)
    assert room_of(keep) != room


def test_stop_ends_it_with_its_rooms(keep: Keep) -> None:
    room, pid = room_of(keep), keeper(keep)
    assert stop(keep.folder) and not stop(keep.folder)
    assert status(keep.folder) is None
    assert eventually(lambda: not alive(pid)) and eventually(lambda: not alive(room))


# -- whatever fails costs time only


def test_a_keeper_that_hangs_is_replaced(keep: Keep, attention: Problem) -> None:
    room, pid = room_of(keep), keeper(keep)
    os.kill(pid, signal.SIGSTOP)
    assert accepted(keep, attention)
    assert eventually(lambda: not alive(pid)) and eventually(lambda: not alive(room))
    assert room_of(keep) != room


def test_a_keeper_that_is_killed_costs_no_run(keep: Keep, attention: Problem) -> None:
    pauses = "import time\ntime.sleep(2)\n" + attention.references[NUMPY]
    room = room_of(keep)
    found: list[Verdict] = []
    run = threading.Thread(target=lambda: found.append(verdict(keep, attention, pauses)))
    run.start()
    assert eventually(lambda: len(below(room)) > 2)  # beside bubblewrap and the zygote
    time.sleep(0.5)
    os.kill(keeper(keep), signal.SIGKILL)
    run.join()
    assert [each.verdict for each in found] == [Outcome.ACCEPTED]


def test_a_zygote_that_is_killed_costs_no_run(keep: Keep, attention: Problem) -> None:
    with open_sandbox(keep=keep) as rooms:
        room = rooms.room(NUMPY)
        os.kill(room.pid, signal.SIGKILL)
        reference = Submission(NUMPY, attention.references[NUMPY])
        assert judge(attention, reference, rooms).verdict is Outcome.ACCEPTED
        assert not isinstance(rooms.room(NUMPY), KeptRoom)  # it trusts no second one
    assert room_of(keep) != room.pid


@pytest.mark.parametrize("mode", [0o755, 0o770, 0o707])
def test_a_folder_that_others_may_enter_is_not_used(
    keep: Keep, attention: Problem, mode: int
) -> None:
    keep.folder.mkdir()
    keep.folder.chmod(mode)
    assert accepted(keep, attention) and not there(keep)
    assert list(keep.folder.iterdir()) == []


def test_a_folder_that_cannot_be_made_is_not_used(keep: Keep, attention: Problem) -> None:
    keep.folder.write_text("a file")
    assert accepted(keep, attention)


def test_the_name_of_the_folder_may_be_long(keep: Keep) -> None:
    deep = replace(keep, folder=keep.folder / ("x" * 120) / "room")
    assert room_of(deep) == room_of(deep)
    assert stop(deep.folder)


def test_processes_that_start_at_once_have_one_keeper(keep: Keep) -> None:
    code = (
        "import sys; from pathlib import Path\n"
        "from grader.model import Framework\n"
        "from grader.sandbox import Keep, open_sandbox\n"
        "with open_sandbox(keep=Keep(Path(sys.argv[1]), 'version 1')) as rooms:\n"
        "    print(rooms.room(Framework.NUMPY).pid)"
    )
    started = [
        subprocess.Popen(
            [sys.executable, "-c", code, str(keep.folder)],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for _ in range(4)
    ]
    ends = [each.communicate(timeout=300) for each in started]
    assert [error for _, error in ends] == [""] * 4
    kept = [int(out) for out, _ in ends if alive(int(out))]
    assert kept and set(kept) == {room_of(keep)}  # one that came too early had a room of its own


# -- nothing stays of a client


def test_what_a_killed_client_began_ends(keep: Keep) -> None:
    """A submission that is still computing, too."""
    code = (
        "import sys; from pathlib import Path\n"
        "from grader.judge import judge\n"
        "from grader.model import Framework, Submission\n"
        "from grader.problem import load\n"
        "from grader.sandbox import Keep, open_sandbox\n"
        f"problem = load(Path({str(ROOT)!r}), 'scaled_dot_product_attention')\n"
        "with open_sandbox(keep=Keep(Path(sys.argv[1]), 'version 1')) as rooms:\n"
        "    judge(problem, Submission(Framework.NUMPY, 'while True: pass'), rooms)"
    )
    room = room_of(keep)
    assert eventually(lambda: len(below(room)) == 2)  # bubblewrap and the zygote
    running = subprocess.Popen([sys.executable, "-c", code, str(keep.folder)], cwd=ROOT)
    assert eventually(lambda: len(below(room)) > 2)
    time.sleep(0.5)
    running.kill()
    running.wait()
    assert eventually(lambda: len(below(room)) == 2)
    assert room_of(keep) == room


def test_the_containers_of_a_client_end_with_it(keep: Keep, attention: Problem) -> None:
    assert accepted(keep, attention)
    room = room_of(keep)
    assert eventually(lambda: len(below(room)) == 2)


def test_many_runs_leave_nothing_in_the_keeper(keep: Keep, attention: Problem) -> None:
    def state() -> tuple[int, int]:
        return len(os.listdir(f"/proc/{keeper(keep)}/fd")), len(below(keeper(keep)))

    for _ in range(3):
        assert accepted(keep, attention)
    assert eventually(lambda: state()[1] == 3)
    before = state()
    for _ in range(10):
        assert accepted(keep, attention)
    assert eventually(lambda: all(now <= then for now, then in zip(state(), before, strict=True)))


# -- who may use it, and what it inherits


def test_only_this_user_can_reach_it(keep: Keep) -> None:
    room_of(keep)
    path = keep.folder / client.SOCKET
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(keep.folder.stat().st_mode) == 0o700


def asked_by(user: int, path: Path) -> bytes:
    """What the keeper tells a process of another user."""
    reading, writing = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            os.setgroups([])
            os.setuid(user)
            asking = socket.socket(socket.AF_UNIX)
            asking.settimeout(60)
            asking.connect(str(path))
            with contextlib.suppress(BrokenPipeError):
                asking.sendall(b'{"want": "status"}\n')
            os.write(writing, b"told: " + asking.recv(100))
        except ConnectionResetError:
            os.write(writing, b"told: ")
        finally:
            os._exit(0)
    os.close(writing)
    os.waitpid(pid, 0)
    with open(reading, "rb") as file:
        return file.read()


@pytest.mark.skipif(os.geteuid() != 0, reason="becomes another user, as root alone can")
def test_another_user_is_refused_even_where_the_files_let_one_in() -> None:
    with tempfile.TemporaryDirectory() as name:
        keep = Keep(Path(name) / "room", "version 1")
        try:
            room_of(keep)
            path = keep.folder / client.SOCKET
            for each, mode in ((path, 0o666), (keep.folder, 0o755), (keep.folder.parent, 0o755)):
                each.chmod(mode)
            assert b'"rooms"' in asked_by(0, path)
            assert asked_by(65534, path) == b"told: "
        finally:
            stop(keep.folder)


def test_a_socket_of_another_user_is_not_trusted(
    keep: Keep, attention: Problem, monkeypatch: pytest.MonkeyPatch
) -> None:
    room_of(keep)
    monkeypatch.setattr(client.members, "user_of", lambda connection: os.geteuid() + 1)
    assert client.enter(keep, NUMPY) is None and accepted(keep, attention)
    monkeypatch.undo()


def test_it_inherits_nothing(keep: Keep, tmp_path: Path) -> None:
    with open(tmp_path / "mine", "w") as mine:
        os.set_inheritable(mine.fileno(), True)
        room = room_of(keep)
        proc = Path(f"/proc/{keeper(keep)}")
        held = open_files(keeper(keep))
    kinds = {name.partition(":")[0] for name in held}
    assert kinds <= {"/dev/null", str(keep.folder / client.LOCK), "socket", "anon_inode"}, held
    assert os.readlink(proc / "cwd") == "/" and (proc / "environ").read_bytes() == b""
    fields = (proc / "stat").read_text().rpartition(")")[2].split()
    assert int(fields[3]) == keeper(keep) and fields[4] == "0"  # its session, and no terminal
    # what the keeper holds, its rooms do not
    zygote = below(room)[-1]
    told = open_files(zygote)
    assert told and str(keep.folder / client.LOCK) not in told


def test_a_submission_does_not_reach_the_keeper(keep: Keep, attention: Problem) -> None:
    """It runs in the kept room, and is told where the socket is."""
    attack = (
        "import os, socket\n"
        f"PATH = {str(keep.folder / client.SOCKET)!r}\n"
        "def tried():\n"
        "    for path in (PATH, os.path.dirname(PATH), '/proc/1/root' + PATH):\n"
        "        if os.path.exists(path): print('BREACH', path)\n"
        "    try:\n"
        "        s = socket.socket(socket.AF_UNIX); s.connect(PATH); print('BREACH connected')\n"
        "    except OSError: print('held')\n"
        "    for fd in range(64):\n"
        "        try: print('BREACH peer', socket.socket(fileno=os.dup(fd)).getpeername())\n"
        "        except (OSError, ValueError): pass\n"
    )
    reference = attention.references[NUMPY]
    called = re.sub(r"(?m)^(    \S)", r"    tried()\n\1", reference, count=1)
    room_of(keep)
    with open_sandbox(keep=keep) as rooms:
        assert isinstance(rooms.room(NUMPY), KeptRoom)
        submission = Submission(NUMPY, attack + called)
        found = judge(attention, submission, rooms)
    printed = "".join(case.printed for case in found.cases)
    assert "BREACH" not in printed + found.message, printed
    assert found.verdict is Outcome.ACCEPTED and "held" in printed


# -- what a client may say


def connected(keep: Keep) -> socket.socket:
    connection = socket.socket(socket.AF_UNIX)
    connection.settimeout(60)
    with client._address(keep.folder) as address:
        connection.connect(address)
    return connection


HELLO = json.dumps({"want": "numpy", "version": "version 1"}).encode() + b"\n"
NONSENSE = {
    "no JSON": b"hello\n",
    "no object": b"[]\n",
    "an empty object": b"{}\n",
    "another framework": b'{"want": "bash", "version": "version 1"}\n',
    "a list for a framework": b'{"want": ["numpy"], "version": "version 1"}\n',
    "no end": b"x" * 100_000,
    "deep": b"[" * 4000 + b"\n",
    "no text": b"\xff\xfe\n",
    "an unknown command": HELLO + b'{"do": "exec"}\n',
    "fork without descriptors": HELLO + b'{"do": "fork"}\n',
    "somebody else's container": HELLO + b'{"do": "reap", "pid": 1}\n',
    "a container that is none": HELLO + b'{"do": "usage", "pid": "x"}\n',
}


@pytest.mark.parametrize("said", NONSENSE.values(), ids=NONSENSE.keys())
def test_who_breaks_the_protocol_is_dropped_and_nobody_else(keep: Keep, said: bytes) -> None:
    room, pid = room_of(keep), keeper(keep)
    with connected(keep) as connection:
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            connection.sendall(said)
        with contextlib.suppress(ConnectionResetError):
            while connection.recv(4096):
                pass
    assert room_of(keep) == room and keeper(keep) == pid


def test_descriptors_that_nobody_asked_for_are_closed(keep: Keep) -> None:
    room_of(keep)
    folder = f"/proc/{keeper(keep)}/fd"
    before = len(os.listdir(folder))
    null = os.open(os.devnull, os.O_RDONLY)
    with connected(keep) as connection:
        for line in (HELLO, b'{"do": "fork"}\n'):
            socket.send_fds(connection, [line], [null] * 50)
        with contextlib.suppress(ConnectionResetError):
            while connection.recv(4096):
                pass
    os.close(null)
    assert eventually(lambda: len(os.listdir(folder)) <= before)


def test_there_are_not_too_many_clients(keep: Keep, attention: Problem) -> None:
    room = room_of(keep)
    with contextlib.ExitStack() as opened:
        for _ in range(client.process.CLIENTS):
            opened.enter_context(connected(keep))
        assert accepted(keep, attention)  # in a room of its own
    assert eventually(lambda: bool(status(keep.folder))) and room_of(keep) == room
