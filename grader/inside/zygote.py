"""The inside half of the sealed room: a warm interpreter that clones one fresh container for each
submission.

Theory of operation
-------------------

The launcher starts this file in a read-only root without
network. It imports numpy (and torch), runs each common operation once, and then waits for one-line
commands on the control socket: `fork` (with two descriptors: the child's end of a data socket, and
a pipe for what is printed), `usage` and `reap`. It never reads a byte of a submission: source,
inputs and results go over the data socket between judge and child, so nothing of one submission is
in the memory that the next one inherits.

`fork` is one clone(2) with new user, pid, mount, net, ipc, uts and cgroup namespaces. The child
then locks the door before it has the source: closes every other descriptor, covers /proc, takes the
limits, drops capabilities, forbids new privileges and installs the system-call filter. Only then
does it apply the rules, compile and run the source, and answer one case at a time. What it sends is
a claim.

Standard library, numpy and torch only, and what the launchers mount: this folder and `case.py`.
"""

import contextlib
import ctypes
import gc
import json
import os
import platform
import signal
import socket
import sys
from collections.abc import Callable
from typing import Any, NoReturn

# started by path, in the room: this package, and the packages that lie in lib/
if __name__ == "__main__":
    HERE = os.path.dirname(os.path.abspath(__file__))
    ROOM = os.path.dirname(os.path.dirname(HERE))
    sys.path[:] = [ROOM, os.path.join(ROOM, "lib"), *(p for p in sys.path if p != HERE)]

from grader.inside import child
from grader.inside.kernel import clocks, mappings, memory
from grader.inside.kernel.usage import address_space, usage
from grader.inside.warmup import warm_up

SETTLE_AFTER = 2  # children; a room that judges one file does not take the time
NAMESPACES = {
    "user": 0x10000000,
    "pid": 0x20000000,
    "mount": 0x00020000,
    "net": 0x40000000,
    "ipc": 0x08000000,
    "uts": 0x04000000,
}
NAMESPACES["cgroup"] = 0x02000000
PR_SET_DUMPABLE = 4
SYS_CLONE = {"x86_64": 56, "aarch64": 220}.get(platform.machine())


def main(argv: list[str]) -> None:
    """`zygote.py FRAMEWORK CONTROL NAMESPACES`: CONTROL is a descriptor number or the path of a
    socket; NAMESPACES a comma list or '-'.
    """
    framework, control_name, namespaces = argv
    control = _control(control_name)
    gc.disable()  # importing makes much that stays and little that goes
    if framework == "torch":
        import torch

        torch.set_num_threads(1)
    warm_up(framework, rounds=2)
    libc = ctypes.PyDLL(None, use_errno=True) if SYS_CLONE else None
    flags = sum(NAMESPACES[name] for name in namespaces.split(",") if name != "-")
    # children that share a pid namespace shall not read each other through /proc
    if libc is not None and not flags:
        libc.prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)
    gc.freeze()
    gc.enable()
    if sys.platform == "linux":
        # without namespaces there is no wall to complete
        with contextlib.nullcontext() if flags else contextlib.suppress(OSError):
            mappings.protect()
    control.sendall(
        json.dumps({"ready": framework, "pid": os.getpid(), "threads": _threads()}).encode() + b"\n"
    )
    serve(
        control,
        lambda: clone(libc, flags) if flags else os.fork(),
        lambda data, printed: _run(framework, libc if flags else None, data, printed),
    )


def _run(framework: str, libc: Any, data_fd: int, print_fd: int) -> NoReturn:
    """What a clone does; `libc` is None where it has no namespaces."""
    if libc is not None:
        clocks.restart(libc)  # needs /proc, which the child covers next
    child.run(data_fd, print_fd, libc is not None, lambda: warm_up(framework))


def _control(name: str) -> socket.socket:
    if name.isdigit():
        return socket.socket(fileno=int(name))
    control = socket.socket(socket.AF_UNIX)
    control.connect(name)
    return control


def serve(
    control: socket.socket, fork: Callable[[], int], run: Callable[[int, int], NoReturn]
) -> None:
    """Carry out commands until the judge goes away. One thread, one command at a time."""
    buffer, descriptors, buried = b"", list[int](), 0
    while True:
        data, received, _, _ = socket.recv_fds(control, 4096, 16)
        if not data:
            os._exit(0)
        buffer += data
        descriptors += received
        while b"\n" in buffer:
            line, _, buffer = buffer.partition(b"\n")
            command = json.loads(line)
            if command["do"] == "fork":
                answer = _fork(fork, run, descriptors.pop(0), descriptors.pop(0))
            elif command["do"] == "usage":
                answer = _usage(command["pid"])
            elif command["do"] == "stop":
                os.kill(command["pid"], signal.SIGUSR1)
                answer = {}
            else:
                answer = _reap(command["pid"])
            control.sendall(json.dumps(answer).encode() + b"\n")
            if command["do"] == "reap":
                buried += 1
                if buried == SETTLE_AFTER:
                    memory.settle()


def _fork(
    fork: Callable[[], int], run: Callable[[int, int], NoReturn], data_fd: int, print_fd: int
) -> dict[str, Any]:
    if _threads() != 1:
        return {"error": f"{_threads()} threads in the zygote; a child would hang"}
    try:
        pid = fork()
    except OSError as error:
        return {"error": f"cannot clone a container: {error.strerror}"}
    if pid == 0:
        try:
            run(data_fd, print_fd)
        except BaseException:
            sys.excepthook(*sys.exc_info())
        finally:
            os._exit(70)
    for fd in (data_fd, print_fd):
        os.close(fd)
    return {"pid": pid, **_usage(pid), "base_kib": address_space() // 1024}


def clone(libc: Any, flags: int) -> int:
    """fork(2) into new namespaces: one raw clone, with the handlers that `os.fork` would run.

    Raises OSError.
    """
    ctypes.pythonapi.PyOS_BeforeFork()
    pid = libc.syscall(SYS_CLONE, flags | signal.SIGCHLD, 0, 0, 0, 0)
    if pid == 0:
        ctypes.pythonapi.PyOS_AfterFork_Child()
        return 0
    ctypes.pythonapi.PyOS_AfterFork_Parent()
    if pid < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return int(pid)


def _usage(pid: int) -> dict[str, float]:
    """A child's usage; without its peaks of memory where /proc belongs to another pid namespace and
    would tell of another process.
    """
    figures = usage(pid)
    if os.path.exists("/proc/self") and os.readlink("/proc/self") != str(os.getpid()):
        figures["peak_kib"] = figures["resident_kib"] = 0
    return figures


def _reap(pid: int) -> dict[str, Any]:
    """Kill a child and everything in its pid namespace, and tell how it had ended.

    Only ever called for a pid that this zygote cloned.
    """
    figures = _usage(pid)
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)
    _, status, rusage = os.wait4(pid, 0)
    code = os.waitstatus_to_exitcode(status)
    return {**figures, "cpu_ms": (rusage.ru_utime + rusage.ru_stime) * 1e3, "exit": code}


def _threads() -> int:
    try:
        return len(os.listdir("/proc/self/task"))
    except OSError:
        return 1


if __name__ == "__main__":
    main(sys.argv[1:])
