"""The system-call filter, both ways: forty kinds of honest work pass, and each refused family is
seen to be refused.
"""

import errno
import platform
import struct
from collections.abc import Iterator
from pathlib import Path

import pyseccomp
import pytest

from grader.case import Case
from grader.model import Ended, Framework, Kind, Limits, Run
from grader.problem import Entry
from grader.sandbox import Job, SandboxPool, seccomp

HONEST = sorted(Path(__file__).with_name("honest").glob("*.py"))
MEMORY = 64 << 20
ARCH = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}[platform.machine()]
FOREIGN = {"i386": 0x40000003, "arm": 0x40000028, "mips": 8, "none": 0} | (
    {"aarch64": 0xC00000B7} if ARCH == 0xC000003E else {"x86_64": 0xC000003E}
)
X32_BIT = 0x40000000
ALLOW, KILL = 0x7FFF0000, 0x80000000
EPERM, ENOSYS, ENOTTY = (
    0x00050000 | number for number in (errno.EPERM, errno.ENOSYS, errno.ENOTTY)
)


def run_in(rooms: SandboxPool, source: str, framework: Framework) -> Run:
    entry = Entry("work", (), ("answer",))
    job = Job(
        source, framework, Kind.FUNCTION, (entry,), (Case("work", sample=True),), Limits(wall_s=60)
    )
    (run,) = rooms.run(job)
    return run


# -- honest work passes


def test_there_are_forty_kinds_of_honest_work() -> None:
    assert len(HONEST) >= 40


@pytest.mark.parametrize("path", HONEST, ids=lambda path: path.stem)
def test_honest_work_passes(path: Path, sandbox: SandboxPool) -> None:
    run = run_in(sandbox, path.read_text(encoding="utf-8"), Framework(path.stem.rpartition("_")[2]))
    assert (run.ended, run.error) == (Ended.RETURNED, None), run.printed
    assert (run.dtypes["answer"], run.tensors["answer"].item()) == ("bool", True)


# -- each family that is refused

FAMILIES = {
    "processes": "fork vfork clone execve execveat",
    "other processes": (
        "kill tkill tgkill ptrace process_vm_readv process_vm_writev"
        " pidfd_open pidfd_getfd pidfd_send_signal kcmp wait4 waitid"
    ),
    "sockets": (
        "socket socketpair connect bind listen accept4 sendto sendmsg recvfrom recvmsg shutdown"
        " setsockopt getsockopt"
    ),
    "descriptors": (
        "dup dup2 dup3 pipe2 memfd_create eventfd2"
        " epoll_create1 inotify_init1 timerfd_create signalfd4 userfaultfd fanotify_init"
    ),
    "changes of files": (
        "unlink unlinkat rename renameat2 mkdirat symlinkat linkat"
        " mknodat truncate ftruncate fallocate fchmod fchmodat fchownat utimensat"
    ),
    "attributes and locks": (
        "setxattr lsetxattr fsetxattr removexattr flock sync fsync chdir fchdir chroot umask"
    ),
    "mounts": (
        "mount umount2 pivot_root fsopen fsmount move_mount open_tree mount_setattr swapon quotactl"
    ),
    "namespaces": "unshare setns sethostname setdomainname",
    "privileges": "setuid setgid setresuid setresgid setgroups capset prctl seccomp personality",
    "the machine": "sysinfo times",
    "the kernel": (
        "bpf perf_event_open io_uring_setup io_uring_enter keyctl add_key"
        " request_key init_module finit_module kexec_load reboot syslog"
    ),
    "shared objects": "shmget shmat shmctl semget semop msgget mq_open",
    "scheduling": (
        "sched_setaffinity sched_setscheduler setpriority ioprio_set setrlimit"
        " setitimer timer_create alarm clock_settime settimeofday"
    ),
    "memory": (
        "mlock mlockall mbind move_pages process_madvise pkey_alloc memfd_secret remap_file_pages"
    ),
    "moving data": "sendfile splice tee vmsplice copy_file_range preadv2 pwritev2",
    "sessions": "setsid setpgid getpgid vhangup pause rt_sigqueueinfo rt_sigsuspend",
}
PROBE = """
import ctypes
import numpy as np

def work():
    libc = ctypes.CDLL(None, use_errno=True)
    found = []
    for number in {numbers}:
        ctypes.set_errno(0)
        found.append(ctypes.get_errno() if libc.syscall(number, -1, 0, 0, 0, 0, 0) == -1 else 0)
    return np.array(found)
"""


def number_of(name: str) -> int | None:
    try:
        number = pyseccomp.resolve_syscall(pyseccomp.Arch.NATIVE, name)
    except (ValueError, OSError):
        return None
    return number if number >= 0 else None


@pytest.mark.parametrize("family", FAMILIES)
def test_family_is_refused(family: str, sandbox: SandboxPool) -> None:
    known = {
        name: number for name in FAMILIES[family].split() if (number := number_of(name)) is not None
    }
    assert known
    run = run_in(sandbox, PROBE.format(numbers=list(known.values())), Framework.NUMPY)
    assert run.ended is Ended.RETURNED, run
    refused = dict(zip(known, run.tensors["answer"].tolist(), strict=True))
    assert {name: code for name, code in refused.items() if code != errno.EPERM} == {}


# -- the filter itself, carried out instruction by instruction


def decide(program: bytes, number: int, arguments: tuple[int, ...] = (), arch: int = ARCH) -> int:
    """What a classic BPF program (linux/filter.h) says of a system call."""
    data = struct.pack(
        "<IIQ6Q", number & 0xFFFFFFFF, arch, 0, *(*arguments, *[0] * (6 - len(arguments)))
    )
    code = list(struct.iter_unpack("<HBBI", program))
    at = accumulator = x = 0
    memory: dict[int, int] = {}
    while True:
        opcode, yes, no, k = code[at]
        at += 1
        if opcode == 0x20:  # load a word of the data
            (accumulator,) = struct.unpack_from("<I", data, k)
        elif opcode == 0x54:  # and
            accumulator &= k
        elif opcode == 0x02:  # store
            memory[k] = accumulator
        elif opcode == 0x60:  # load what was stored
            accumulator = memory[k]
        elif opcode == 0x07:  # copy to the index register
            x = accumulator
        elif opcode in (0x04, 0x0C):  # add a constant, or the index register
            accumulator = (accumulator + (k if opcode == 0x04 else x)) % 2**32
        elif opcode == 0x06:  # return
            return k
        elif opcode == 0x05:  # jump
            at += k
        else:
            compared = {
                0x15: accumulator == k,
                0x25: accumulator > k,
                0x35: accumulator >= k,
                0x3D: accumulator >= x,
                0x45: bool(accumulator & k),
            }[opcode]
            at += yes if compared else no


@pytest.fixture(scope="module")
def program() -> bytes:
    return seccomp.program(MEMORY)


ALWAYS = {name for group in seccomp.GROUPS for name in group}
ASKED = {"mmap", "mremap", "madvise", "fcntl", "prlimit64"}  # allowed or not by their arguments


def test_every_number_that_is_not_in_the_list_is_refused(program: bytes) -> None:
    listed = {number_of(name) for name in ALWAYS | ASKED} - {None}
    answers = {"ioctl": ENOTTY, "clone3": ENOSYS}
    special = {number_of(name): answer for name, answer in answers.items()}
    wrong = []
    for number in [*range(1200), 2**31 - 1, 2**32 - 1]:
        expected = (
            ALLOW
            if number in listed - {number_of(n) for n in ASKED}
            else special.get(number, EPERM)
        )
        if number not in {number_of(n) for n in ASKED} and decide(program, number) != expected:
            wrong.append(number)
    assert wrong == []


@pytest.mark.parametrize("arch", FOREIGN)
def test_no_call_of_another_architecture(arch: str, program: bytes) -> None:
    assert {decide(program, number, arch=FOREIGN[arch]) for number in range(600)} == {EPERM}


@pytest.mark.skipif(platform.machine() != "x86_64", reason="x32 is an interface of x86-64")
def test_no_call_of_x32(program: bytes) -> None:
    assert {decide(program, X32_BIT | number) for number in range(1200)} == {EPERM}


def rows() -> Iterator[tuple[str, str, tuple[int, ...], int]]:
    for call in ("mmap", "mremap"):
        at = {"mmap": 1, "mremap": 2}[call]
        for name, size, expected in [
            ("nothing", 0, ALLOW),
            ("all", MEMORY, ALLOW),
            ("one_more", MEMORY + 1, KILL),
            ("four_gib", 1 << 32, KILL),
            ("four_gib_and_a_bit", (1 << 32) + 1, KILL),
            ("most", 2**64 - 1, KILL),
        ]:
            yield f"{call}-{name}", call, (0,) * at + (size,), expected
    for command, expected in [
        (0, EPERM),
        (1, ALLOW),
        (2, ALLOW),
        (3, ALLOW),
        (4, EPERM),
        (6, EPERM),
        (1024, EPERM),
        (1030, EPERM),
        (1031, EPERM),
    ]:
        yield f"fcntl-{command}", "fcntl", (0, command), expected
    for advice in range(120):
        yield (
            f"madvise-{advice}",
            "madvise",
            (0, 4096, advice),
            ALLOW if advice in seccomp.MADVISE else EPERM,
        )
    yield "mmap-huge_pages", "mmap", (0, 4096, 3, 0x40022), EPERM
    yield "mmap-huge_pages_of_1_gib", "mmap", (0, 4096, 3, 30 << 26 | 0x40022), EPERM
    yield "mmap-shared", "mmap", (0, 4096, 3, 0x21), ALLOW
    yield "prlimit64-own", "prlimit64", (0, 7, 0, 1), ALLOW
    yield "prlimit64-other", "prlimit64", (1, 7, 0, 1), EPERM
    yield "prlimit64-set", "prlimit64", (0, 7, 1, 0), EPERM
    yield "prlimit64-set_high", "prlimit64", (0, 7, 1 << 40, 0), EPERM
    yield "ioctl-tiocsti", "ioctl", (0, 0x5412), ENOTTY
    yield "clone-thread", "clone", (0x3D0F00,), EPERM


@pytest.mark.parametrize(
    ("call", "arguments", "expected"), [row[1:] for row in rows()], ids=[row[0] for row in rows()]
)
def test_arguments_decide(
    call: str, arguments: tuple[int, ...], expected: int, program: bytes
) -> None:
    number = number_of(call)
    assert number is not None
    assert decide(program, number, arguments) == expected


@pytest.mark.parametrize("mebibytes", [1, 16, 512, 4095, 4096, 4097, 1 << 20])
def test_the_memory_limit_is_in_the_filter(mebibytes: int) -> None:
    found, number = seccomp.program(mebibytes << 20), number_of("mmap")
    assert number is not None
    assert [decide(found, number, (0, (mebibytes << 20) + more)) for more in (-1, 0, 1)] == [
        ALLOW,
        ALLOW,
        KILL,
    ]


def test_the_list_names_no_call_twice_and_none_of_a_refused_family() -> None:
    names = [name for group in seccomp.GROUPS for name in group]
    assert len(names) == len(set(names))
    assert ALWAYS & {name for family in FAMILIES.values() for name in family.split()} == set()


def test_fewer_than_seventy_calls_are_allowed() -> None:
    assert 50 <= sum(number_of(name) is not None for name in ALWAYS | ASKED) < 70


# -- what a child has taken from itself before it runs the source


@pytest.mark.parametrize("framework", Framework)
def test_a_child_is_locked(framework: Framework, sandbox: SandboxPool) -> None:
    child = sandbox.room(framework).take(64)
    try:
        entry = Entry("work", (), ("answer",))
        assert (
            child.load(
                Job("def work(): pass", framework, Kind.FUNCTION, (entry,), (), Limits(cpu_s=7))
            )
            is None
        )
        status = dict(
            line.split(":\t", 1)
            for line in Path(f"/proc/{child.channel.host_pid}/status").read_text().splitlines()
            if ":\t" in line
        )
        limits = Path(f"/proc/{child.channel.host_pid}/limits").read_text()
    finally:
        child.close()
    assert (status["Seccomp"], status["NoNewPrivs"], status["Threads"]) == ("2", "1", "1")
    assert {int(status[name], 16) for name in ("CapInh", "CapPrm", "CapEff", "CapAmb")} == {0}
    for name, value in {
        "Max file size": 0,
        "Max core file size": 0,
        "Max open files": 64,
        "Max locked memory": 0,
        "Max cpu time": 8,
    }.items():
        (line,) = (line for line in limits.splitlines() if line.startswith(name + " "))
        assert line[len("Max realtime timeout      ") :].split()[:2] == [str(value)] * 2
