"""A real PostgreSQL and a real Redis from Debian's packages, each on a private port and in a
private folder, ended with the test.
"""

import contextlib
import getpass
import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg
import redis

from tests.conftest import missing

PASSWORD = "of-a-test-only"
USER = "judge"


def free_port() -> int:
    """A port that nobody listens on at the moment."""
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return int(s.getsockname()[1])


def until(seen: Callable[[], bool], seconds: float, what: str, pause: float = 0.05) -> float:
    """Look every `pause` seconds until it is so; the seconds that it took."""
    began = time.monotonic()
    while not seen():
        assert time.monotonic() - began < seconds, f"after {seconds:.0f} s: {what}"
        time.sleep(pause)
    return time.monotonic() - began


def postgres_programs() -> Path:
    """The folder of initdb and postgres, the newest version first."""
    found = sorted(
        Path("/usr/lib/postgresql").glob("*/bin/initdb"),
        key=lambda p: int(p.parts[-3]),
        reverse=True,
    )
    named = shutil.which("initdb")
    if not found and named is None:
        missing("PostgreSQL is not installed (sh scripts/test-services.sh installs it)")
    return found[0].parent if found else Path(os.path.realpath(named or "")).parent


class Service:
    """A process with its log."""

    argv: list[str]
    log: Path
    process: "subprocess.Popen[bytes] | None" = None

    def spawn(self) -> None:
        """Start it; `log` keeps what it prints."""
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                self.argv, stdout=log, stderr=subprocess.STDOUT, start_new_session=True
            )

    def signal(self, number: int) -> None:
        """Send a signal and, when it ends the process, wait for that."""
        assert self.process is not None
        self.process.send_signal(number)
        if number in (signal.SIGKILL, signal.SIGTERM, signal.SIGINT, signal.SIGQUIT):
            self.process.wait(30)

    def close(self) -> None:
        """End it for good."""
        if self.process is not None and self.process.poll() is None:
            self.signal(signal.SIGINT)


class Postgres(Service):
    """A cluster of its own.

    Started by root it runs as the package's user, since PostgreSQL refuses root.
    """

    def __init__(
        self,
        addresses: tuple[str, ...] = ("127.0.0.1",),
        wal: Path | None = None,
        durable: bool = False,
    ) -> None:
        self.folder, self.wal = Path(tempfile.mkdtemp(prefix="judge-pg-")), wal
        self.port, self.log = free_port(), self.folder / "log"
        self._as = self._other_user()
        owner = pwd.getpwnam("postgres") if self._as else None
        secret = self.folder / "password"
        secret.write_text(PASSWORD)
        for path in (self.folder, secret, *([wal] if wal else [])):
            if owner is not None:
                os.chown(path, owner.pw_uid, owner.pw_gid)
        programs = postgres_programs()
        argv = [
            *self._as,
            str(programs / "initdb"),
            "-D",
            str(self.folder / "data"),
            "-U",
            USER,
            "-A",
            "scram-sha-256",
        ]
        argv += [
            "--pwfile",
            str(secret),
            "-E",
            "UTF8",
            "--locale=C.UTF-8",
            "--wal-segsize=1",
            "--no-sync",
        ]
        made = subprocess.run(
            argv + (["--waldir", str(wal / "pg_wal")] if wal else []),
            capture_output=True,
            text=True,
        )
        assert made.returncode == 0, made.stderr
        networks = "".join(f"host all all {address}/24 scram-sha-256\n" for address in addresses)
        with (self.folder / "data" / "pg_hba.conf").open("a") as rules:
            rules.write(networks)
        settings = {
            "listen_addresses": ",".join(addresses),
            "port": self.port,
            "unix_socket_directories": "",
            "max_connections": 200,
        }
        settings |= (
            {"max_wal_size": "8MB", "min_wal_size": "2MB", "wal_keep_size": 0} if wal else {}
        )
        settings |= {} if durable else {"fsync": "off"}
        self.argv = [*self._as, str(programs / "postgres"), "-D", str(self.folder / "data")]
        self.argv += [
            word for name, value in settings.items() for word in ("-c", f"{name}={value}")
        ]
        self.start()

    @staticmethod
    def _other_user() -> list[str]:
        return (
            ["setpriv", "--reuid=postgres", "--regid=postgres", "--init-groups"]
            if getpass.getuser() == "root"
            else []
        )

    def url(self, database: str = "postgres", host: str = "127.0.0.1") -> str:
        """What SQLAlchemy connects to."""
        return f"postgresql+psycopg://{USER}:{PASSWORD}@{host}:{self.port}/{database}"

    def run(self, statement: str, database: str = "postgres") -> None:
        """One statement outside a transaction."""
        with psycopg.connect(
            self.url(database).replace("+psycopg", ""), autocommit=True
        ) as connection:
            connection.execute(statement)  # type: ignore[call-overload]

    def create(self, name: str, template: str = "template1") -> str:
        """A new database; its URL."""
        self.run(f"CREATE DATABASE {name} TEMPLATE {template} STRATEGY file_copy")
        return self.url(name)

    def start(self) -> None:
        """Start the server and wait until it answers."""
        self.spawn()
        until(self.answers, 60, f"PostgreSQL does not answer: {self.log}")

    def answers(self) -> bool:
        """Whether it takes connections."""
        try:
            psycopg.connect(self.url().replace("+psycopg", ""), connect_timeout=2).close()
        except psycopg.OperationalError:
            return False
        return True

    def kill(self) -> None:
        """kill -9 of all of it, as when the machine loses power."""
        assert self.process is not None
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait(30)

    def close(self) -> None:
        """End it and remove its folder."""
        super().close()
        shutil.rmtree(self.folder, ignore_errors=True)


class Redis(Service):
    """A Redis of its own that keeps its data when `restart`ed, unless they are removed."""

    def __init__(self, addresses: tuple[str, ...] = ("127.0.0.1",)) -> None:
        program = shutil.which("redis-server")
        if program is None:
            missing("Redis is not installed (sh scripts/test-services.sh installs it)")
        self.folder = Path(tempfile.mkdtemp(prefix="judge-redis-"))
        self.port, self.log = free_port(), self.folder / "log"
        options = {
            "port": self.port,
            "dir": self.folder,
            "requirepass": PASSWORD,
            "appendonly": "yes",
            "appendfsync": "always",
            "save": '""',
        }
        lines = [f"{name} {value}\n" for name, value in options.items()]
        (self.folder / "redis.conf").write_text("".join(lines) + f"bind {' '.join(addresses)}\n")
        self.argv = [program or "", str(self.folder / "redis.conf")]
        self.start()

    def url(self, number: int = 0, host: str = "127.0.0.1") -> str:
        """Its address, with the password."""
        return f"redis://:{PASSWORD}@{host}:{self.port}/{number}"

    def start(self) -> None:
        """Start the server and wait until it answers."""
        self.spawn()
        until(self.answers, 30, f"Redis does not answer: {self.log}")

    def answers(self) -> bool:
        """Whether it takes commands."""
        with contextlib.closing(redis.Redis.from_url(self.url(), socket_timeout=2)) as client:
            try:
                return bool(client.ping())
            except redis.RedisError:
                return False

    def forget(self) -> None:
        """Lose everything that was written (only while it is down)."""
        shutil.rmtree(self.folder / "appendonlydir", ignore_errors=True)

    def close(self) -> None:
        """End it and remove its folder."""
        super().close()
        shutil.rmtree(self.folder, ignore_errors=True)


@contextlib.contextmanager
def postgres() -> Iterator[Postgres]:
    """A cluster with a database `migrated` to copy from."""
    from server.models import migrations
    from server.models.database import open_database

    with contextlib.closing(Postgres()) as cluster:
        database = open_database(cluster.create("migrated"))
        migrations.upgrade(database)
        database.close()
        yield cluster
