"""One launched zygote and the control socket to it.

The theory of operation is in the package's docstring.
"""

import contextlib
import json
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from queue import SimpleQueue
from typing import IO, TYPE_CHECKING, Any

from grader.errors import RoomError, RoomLost
from grader.findings.text import T_, told
from grader.model import Framework
from grader.sandbox import cgroup, launchers, seccomp

if TYPE_CHECKING:
    from grader.sandbox.container import Container

START_S = 60.0  # a cold torch import on a busy machine
SPARES = 2  # one for the hidden cases of the next submission, one for their public twins
REPLY_S = 20.0  # a zygote that is silent for longer is lost


def _error_file() -> IO[bytes]:
    """Opens a file for the launcher's errors; on a full disk only they are lost."""
    try:
        return tempfile.TemporaryFile()
    except OSError:
        return open(os.devnull, "w+b")


class ZygoteClient:
    """One launched zygote.

    The zygote answers commands in order; a lock keeps each command with its reply.
    """

    def __init__(self, isolation: str, framework: Framework, runtime: str = "") -> None:
        self._begin(framework)
        self._listener: socket.socket | None = None
        with contextlib.ExitStack() as opened:  # closed again where the launcher cannot be started
            self._errors = opened.enter_context(_error_file())
            self._start(isolation, framework, runtime, opened)
            opened.pop_all()
        self._start_maintenance()

    def _begin(self, framework: Framework) -> None:
        """Sets what has nothing to do with how the zygote is launched."""
        self.framework = framework
        self._lock = threading.RLock()
        self._buffer = b""
        self._spares: list[Container] = []
        self._ready = False
        self._grouped: Future[cgroup.Group | None] = Future()  # None where there is none
        self._lost = False  # it once did not answer; its launcher may still be ending
        self._chores = SimpleQueue[Callable[[], None] | None]()

    def _start_maintenance(self) -> None:
        threading.Thread(target=self._maintain, name="maintenance of a room", daemon=True).start()

    def _start(
        self, isolation: str, framework: Framework, runtime: str, opened: contextlib.ExitStack
    ) -> None:
        theirs: socket.socket | None = None
        if isolation == "docker":
            launch = launchers.docker(framework, runtime)
            folder = os.path.dirname(launch.socket_path)
            opened.callback(shutil.rmtree, folder, ignore_errors=True)
            self._listener = opened.enter_context(socket.socket(socket.AF_UNIX))
            launchers.listen(self._listener, launch.socket_path)
            self._listener.settimeout(START_S)
        else:
            self._control, theirs = socket.socketpair()
            opened.enter_context(self._control)
        with theirs or contextlib.nullcontext():
            if theirs:
                builder = launchers.bubblewrap if isolation == "bubblewrap" else launchers.process
                launch = builder(framework, theirs.fileno())
            self.launch = launch
            try:
                self._process = self._spawn(launch, theirs)
            except OSError as error:
                program, reason = launch.argv[0], error.strerror
                words = T_("cannot start %(program)s: %(reason)s", program=program, reason=reason)
                raise RoomError(words) from None

    def _spawn(
        self, launch: launchers.Launch, theirs: socket.socket | None
    ) -> subprocess.Popen[bytes]:
        """Starts the launcher from a thread that lives as long as the launcher does.

        The kernel ends a process that must die with its parent when the *thread* that started it
        ends (prctl(2), PR_SET_PDEATHSIG).
        """
        started: Future[subprocess.Popen[bytes]] = Future()

        def start() -> None:
            """Starts the process and waits for its end."""
            try:
                process = subprocess.Popen(
                    launch.argv,
                    env=launch.environment,
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    stderr=self._errors,
                    pass_fds=[theirs.fileno()] if theirs else [],
                    start_new_session=True,
                )
            except BaseException as error:
                started.set_exception(error)
                return
            started.set_result(process)
            self._enclose(process.pid)
            process.wait()
            if launch.socket_path:  # whoever waits for a connection waits no longer
                with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX) as ended:
                    ended.connect(launch.socket_path)

        self._parent = threading.Thread(target=start, name="parent of a launcher", daemon=True)
        self._parent.start()
        return started.result()

    def _enclose(self, pid: int) -> None:
        """Puts the launcher into a control group while it works, since it takes the kernel a while.

        What it starts meanwhile is taken when the zygote is warm. An engine sets its own limits.
        """
        name = f"{self.framework}-{pid}"
        try:
            self._grouped.set_result(None if self.launch.stop else cgroup.enclose(pid, name))
        except BaseException as error:
            self._grouped.set_exception(error)

    @property
    def pid(self) -> int:
        """The process id of the launcher."""
        return self._process.pid

    def alive(self) -> bool:
        """Returns whether the launcher is running and its zygote has always answered."""
        return not self._lost and self._process.poll() is None

    def wait_ready(self) -> None:
        """Waits until the zygote is warm.

        Raises `RoomError` with the launcher's last messages when it never is.
        """
        if self._ready:
            return
        with self._lock:
            if self._ready:
                return
            try:
                if self._listener is not None:
                    self._control, _ = self._listener.accept()
                if self.launch.sealed:
                    seccomp.load_library()  # while the zygote imports its framework
                self._read_line(START_S)
                if group := self._grouped.result():
                    group.take(self.pid)
                self._ready = True
            except (RoomLost, OSError):
                self._kill()
                self._errors.seek(0)
                messages = self._errors.read().decode(errors="replace").strip().splitlines()[-3:]
                self.close()
                words = T_(
                    "the sealed room does not start: %(messages)s; `grade doctor` names what is"
                    " missing",
                    messages=" / ".join(messages) or T_("no message"),
                )
                raise RoomError(words) from None

    def close(self) -> None:
        """Kills the launcher; the kernel ends everything in its pid namespace with it."""
        self._signal()  # whoever waits for a reply, with the lock, waits no longer
        with self._lock:
            while self._spares:
                self._spares.pop().drop()
            self._kill()
            if hasattr(self, "_control"):
                self._control.close()
            self._errors.close()
            self._chores.put(None)
            if group := self._grouped.result():
                group.close()
            if self._listener is not None:
                self._listener.close()
                shutil.rmtree(os.path.dirname(self.launch.socket_path), ignore_errors=True)
            if self.launch.stop:
                with contextlib.suppress(OSError, subprocess.TimeoutExpired):
                    subprocess.run(self.launch.stop, capture_output=True, timeout=30)

    def _signal(self) -> None:
        if self._process.poll() is None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)

    def _kill(self) -> None:
        self._signal()
        self._parent.join(10)  # a `wait` with a timeout would look every few milliseconds

    def take(self, memory_mib: int) -> "Container":
        """Returns a fresh container. Raises `RoomLost` when the zygote is gone."""
        with self._lock:
            child = self._spares.pop(0) if self._spares else self._fork()
        child.memory_mib = memory_mib
        return child

    def refill(self, spares: int = SPARES) -> None:
        """Clones the next containers in advance."""
        with contextlib.suppress(RoomLost, RoomError):
            while self._wanting(spares):
                pass

    def _wanting(self, spares: int) -> bool:
        """Clones one container, unless there are enough. In between, others get the lock."""
        with self._lock:
            if len(self._spares) >= spares or not self._ready or not self.alive():
                return False
            self._spares.append(self._fork())
            return True

    def later(self, chore: Callable[[], None]) -> None:
        """Does it in the maintenance thread, so that no verdict waits for it."""
        self._chores.put(chore)

    def _maintain(self) -> None:
        while chore := self._chores.get():
            with contextlib.suppress(RoomLost, RoomError, OSError):
                chore()

    def command(
        self, request: Mapping[str, Any], descriptors: list[int] | None = None
    ) -> dict[str, Any]:
        """Sends a command to the zygote and returns its reply.

        Raises `RoomLost` when it is gone or does not answer.
        """
        with self._lock:
            try:
                line = json.dumps(request).encode() + b"\n"
                if descriptors:
                    socket.send_fds(self._control, [line], descriptors)
                else:
                    self._control.sendall(line)
                return self._read_line(REPLY_S)
            except (OSError, RoomLost) as error:
                self._lost = True  # a late reply would be taken for that of the next command
                raise RoomLost(T_("the zygote is gone: %(error)s", error=told(error))) from None

    def _read_line(self, seconds: float) -> dict[str, Any]:
        self._control.settimeout(seconds)
        while b"\n" not in self._buffer:
            data = self._control.recv(65536)
            if not data:
                raise RoomLost(T_("it closed its end"))
            self._buffer += data
        line, _, self._buffer = self._buffer.partition(b"\n")
        reply: dict[str, Any] = json.loads(line)
        return reply

    def _fork(self) -> "Container":
        from grader.sandbox.container import Container  # imports NumPy; a room starts without

        ours, theirs = socket.socketpair()
        read_end, write_end = os.pipe()
        try:
            forked = self.command({"do": "fork"}, [theirs.fileno(), write_end])
        except RoomLost:
            ours.close()
            os.close(read_end)
            raise
        finally:
            theirs.close()
            os.close(write_end)
        if "error" in forked:
            ours.close()
            os.close(read_end)
            words = T_("%(error)s; `grade doctor` names the remedy", error=forked["error"])
            raise RoomError(words)
        return Container(self, forked, ours, read_end)
