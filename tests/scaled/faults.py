"""Faults of the scaled service: each is brought about while submissions are judged, and mended
after a while.

A fault is a function of the running stack and a random generator; it returns when it is mended. The
numbers of seconds are those of the fault itself: how long a thing stays broken.
"""

import contextlib
import os
import random
import signal
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import select

from server.models.submissions import Submission
from tests.scaled.services import until
from tests.scaled.stack import Program, Stack

DOWN_S = 2.0
CUT_S = 30.0
HOST, GUEST = "10.231.7.1", "10.231.7.2"


@dataclass(frozen=True, slots=True)
class Fault:
    """What is done, how many seconds it lasts at least, and whether only root can do it."""

    inject: Callable[[Stack, random.Random], None]
    lasts: float = 0.0
    root: bool = False


def busy(stack: Stack, among: list[Program] | None = None) -> Program:
    """A worker that is judging at this moment."""
    found: list[Program] = []

    def seen() -> bool:
        with stack.database.read() as session:
            owners = session.scalars(
                select(Submission.lease_owner).where(Submission.state == "running")
            ).all()
        pids = {int(owner.rsplit(":", 2)[1]) for owner in owners if owner}
        found[:] = [worker for worker in among or stack.workers if pids & set(worker.descendants())]
        return bool(found)

    until(seen, 90, "no worker is judging")
    return found[0]


def kill_worker(stack: Stack, chance: random.Random) -> None:
    """All of a worker dies at once in mid-verdict; whoever runs it starts it again."""
    worker = busy(stack)
    worker.all(signal.SIGKILL)
    time.sleep(chance.uniform(0, DOWN_S))
    worker.spawn()


def kill_process_of_worker(stack: Stack, chance: random.Random) -> None:
    """The process that judges dies in mid-verdict; Celery starts another and gives the message
    back.
    """
    worker = busy(stack)
    assert worker.process is not None
    first = int(
        (
            Path(f"/proc/{worker.process.pid}/task/{worker.process.pid}/children")
            .read_text()
            .split()
            or ["0"]
        )[0]
    )
    os.kill(first, signal.SIGKILL)


def kill_zygote(stack: Stack, chance: random.Random) -> None:
    """The room of a worker dies in mid-verdict."""
    worker = busy(stack)
    rooms = [pid for pid in worker.descendants() if b"zygote.py" in _command(pid)]
    assert rooms
    for pid in rooms:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def _command(pid: int) -> bytes:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""


def kill_web(stack: Stack, chance: random.Random) -> None:
    """Every serving process dies, and is started again."""
    stack.web.all(signal.SIGKILL)
    time.sleep(chance.uniform(0, DOWN_S))
    stack.web.spawn()


def kill_redis(stack: Stack, chance: random.Random) -> None:
    """Redis dies; its data are there when it is back."""
    stack.redis.signal(signal.SIGKILL)
    time.sleep(DOWN_S)
    stack.redis.start()


def lose_redis(stack: Stack, chance: random.Random) -> None:
    """Redis dies, and has forgotten everything when it is back."""
    stack.redis.signal(signal.SIGKILL)
    stack.redis.forget()
    time.sleep(DOWN_S)
    stack.redis.start()


def restart_postgres(stack: Stack, chance: random.Random) -> None:
    """PostgreSQL is killed without a word, and started again."""
    stack.postgres.kill()
    time.sleep(chance.uniform(0, DOWN_S))
    stack.postgres.start()


def freeze_worker(stack: Stack, chance: random.Random) -> None:
    """A worker stands still until its lease is over and another has judged, then goes on as if
    nothing had happened.
    """
    worker = busy(stack)
    worker.all(signal.SIGSTOP)
    time.sleep(float(stack.environment["JUDGE_LEASE"]) + 3)
    worker.all(signal.SIGCONT)


def fill_disk(stack: Stack, chance: random.Random) -> None:
    """The disk of PostgreSQL's log is full, since a replica that is gone keeps it from being
    reused: what cannot be stored is refused, and what was stored stays.
    """
    stack.postgres.run("SELECT pg_create_physical_replication_slot('gone', true)")
    filler = stack.postgres.wal / "filler"  # type: ignore[operator]
    with filler.open("wb") as file, contextlib.suppress(OSError):
        while True:
            file.write(bytes(1 << 16))
            file.flush()
    refused = 0
    for _ in range(200):
        try:
            stack.submit(
                0,
                "# "
                + chance.randbytes(30_000).hex()
                + "\ndef scaled_dot_product_attention(:\n",  # soon judged, when it is
            )
        except OSError:
            refused += 1
            if refused == 3:
                break
    assert refused == 3, "the disk was never full"
    filler.unlink()
    until(lambda: _mended(stack), 60, "PostgreSQL does not come back with space")
    stack.postgres.run("SELECT pg_drop_replication_slot('gone')")


def _mended(stack: Stack) -> bool:
    if stack.postgres.process is not None and stack.postgres.process.poll() is not None:
        stack.postgres.spawn()
    return stack.postgres.answers()


def wrong_clocks(stack: Stack, chance: random.Random) -> None:
    """Workers whose clocks are an hour ahead and an hour behind judge among the others for a while."""
    odd = [
        stack.worker("faketime", "-f", off, FAKETIME_DONT_FAKE_MONOTONIC="1")
        for off in ("+1h", "-1h")
    ]
    try:
        for worker in odd:
            busy(stack, [worker])
        time.sleep(float(stack.environment["JUDGE_LEASE"]) + 1)
    finally:
        for worker in odd:
            worker.close()
            stack.workers.remove(worker)


def cut_network(stack: Stack, chance: random.Random) -> None:
    """A worker in a network of its own loses every connection in mid-verdict, and finds them again."""
    urls = {
        name: stack.environment[name].replace("127.0.0.1", HOST)
        for name in ("JUDGE_DATABASE_URL", "JUDGE_BROKER_URL")
    }
    far = stack.worker("ip", "netns", "exec", "judge-far", **urls)
    try:
        busy(stack, [far])
        _ip("link", "set", "judge-near", "down")
        time.sleep(CUT_S)
        _ip("link", "set", "judge-near", "up")
        until(
            lambda: far.process is not None and far.process.poll() is None,
            5,
            "the worker did not outlive the cut",
        )
        time.sleep(3)
    finally:
        _ip("link", "set", "judge-near", "up")
        far.close()
        stack.workers.remove(far)


def _ip(*words: str) -> None:
    subprocess.run(["ip", *words], check=True, capture_output=True)


@contextlib.contextmanager
def far_network() -> Iterator[str]:
    """A network of a worker's own, joined to this one by a cable that can be cut; the address of
    this end.
    """
    _forget_network()
    _ip("netns", "add", "judge-far")
    try:
        _ip(
            "link",
            "add",
            "judge-near",
            "type",
            "veth",
            "peer",
            "name",
            "judge-end",
            "netns",
            "judge-far",
        )
        _ip("addr", "add", f"{HOST}/24", "dev", "judge-near")
        _ip("link", "set", "judge-near", "up")
        for words in (
            ("addr", "add", f"{GUEST}/24", "dev", "judge-end"),
            ("link", "set", "judge-end", "up"),
            ("link", "set", "lo", "up"),
        ):
            _ip("-n", "judge-far", *words)
        yield HOST
    finally:
        _forget_network()


def _forget_network() -> None:
    for words in (("link", "delete", "judge-near"), ("netns", "delete", "judge-far")):
        subprocess.run(["ip", *words], capture_output=True)


@contextlib.contextmanager
def small_disk() -> Iterator[Path]:
    """A disk of 24 MB."""
    folder = Path(tempfile.mkdtemp(prefix="judge-disk-"))
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=24m", "tmpfs", str(folder)], check=True)
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)
        folder.rmdir()


FAULTS = {
    "worker killed": Fault(kill_worker),
    "process of a worker killed": Fault(kill_process_of_worker),
    "room killed": Fault(kill_zygote),
    "web killed": Fault(kill_web),
    "Redis killed, data kept": Fault(kill_redis, DOWN_S),
    "Redis killed, data lost": Fault(lose_redis, DOWN_S),
    "PostgreSQL killed": Fault(restart_postgres),
    "worker frozen past its lease": Fault(freeze_worker),
    "PostgreSQL's disk full": Fault(fill_disk, root=True),
    "clocks an hour off": Fault(wrong_clocks),
    "worker's network cut": Fault(cut_network, CUT_S, root=True),
}


class Load(threading.Thread):
    """Learners who send submissions while something breaks, and send again with the same key when
    they get no answer. After every so many (`eager`) they take more time for the next one: what
    lasts long is watched over hardly more submissions than what is over at once.
    """

    def __init__(self, stack: Stack, sources: list[str], pause: float, eager: int) -> None:
        super().__init__(daemon=True)
        self.stack, self.sources, self.pause, self.eager = stack, sources, pause, eager
        self.sent: dict[int, int] = {}  # the number of a submission: which source
        self.refused = 0
        self.halt = threading.Event()

    def run(self) -> None:
        """Send until `halt`."""
        count = 0
        while not self.halt.is_set():
            which = count % len(self.sources)
            self._send(count, which)
            count += 1
            self.halt.wait(self.pause * (1 + count // self.eager))

    def _send(self, count: int, which: int) -> None:
        key = f"{id(self)}-{count}"
        for _ in range(240):
            try:
                number = self.stack.submit(count % len(self.stack.tokens), self.sources[which], key)
            except OSError:
                self.refused += 1
                time.sleep(0.25)
                continue
            self.sent[number] = which
            return
