"""The system calls that a submission may make: an allow list, compiled outside the room into the
filter that the child installs.

Everything else returns EPERM, so that Python says `PermissionError` (or "can't start new thread")
instead of dying silently. Calls of another architecture (32-bit, x32) are refused by libseccomp's
own check of the architecture.
"""

import errno
import functools
import os

MEMORY = ("brk", "munmap", "mprotect")  # malloc, and loading extension modules
FILES_READ = (  # importing modules from the read-only room
    "open openat close read readv pread64 lseek stat lstat fstat newfstatat statx access faccessat"
    " faccessat2 readlink readlinkat getcwd getdents64 fadvise64"
).split()
WRITE = ("write", "writev")  # results and prints, on the two descriptors that are open
# KeyboardInterrupt, faulthandler
SIGNALS = ("rt_sigaction", "rt_sigprocmask", "rt_sigreturn", "sigaltstack")
CLOCKS = [
    "clock_gettime",
    "clock_getres",
    "gettimeofday",
    "time",
    "nanosleep",
    "clock_nanosleep",
    "sched_yield",
]
SELF = (  # what a process may ask about itself
    "getpid gettid getppid getuid geteuid getgid getegid getrusage getrlimit uname"
    " sched_getaffinity getcpu getrandom"
).split()
# locks; select on nothing is a sleep
WAITING = ("futex", "poll", "ppoll", "select", "pselect6", "restart_syscall")
# the C library's own start-up
THREAD_SETUP = ("set_robust_list", "rseq", "set_tid_address", "arch_prctl")
ENDING = ("exit", "exit_group")
# NORMAL, RANDOM, SEQUENTIAL, WILLNEED, DONTNEED, FREE, HUGEPAGE, NOHUGEPAGE: what allocators ask
# for. Not allowed: merging equal pages with those of other processes, whose timing reveals their
# content, and pushing shared pages out of memory.
MADVISE = (0, 1, 2, 3, 4, 8, 14, 15)
MAP_HUGETLB = 0x40000  # takes from a pool that the machine's owner set aside
FCNTL = (1, 2, 3)  # F_GETFD, F_SETFD, F_GETFL: no locks, no leases, no pipe sizes

GROUPS = (MEMORY, FILES_READ, WRITE, SIGNALS, CLOCKS, SELF, WAITING, THREAD_SETUP, ENDING)


def load_library() -> None:
    """Loads what compiles the filter, which takes longer than to compile it."""
    import pyseccomp  # noqa: F401


@functools.lru_cache(maxsize=32)
def program(memory_bytes: int) -> bytes:
    """Returns the filter as BPF, for this machine's architecture.

    One `mmap` or `mremap` of more than `memory_bytes` kills the process (SIGSYS): a refusal could
    be caught and hidden, and smaller requests show in the peak of the address space, for which the
    child has twice the room (see docs/sandbox.md, "Memory").
    """
    import pyseccomp as sc

    allowed = sc.SyscallFilter(sc.ERRNO(errno.EPERM))
    allowed.set_attr(sc.Attr.ACT_BADARCH, sc.ERRNO(errno.EPERM))
    for name in (name for group in GROUPS for name in group):
        _allow(allowed, name)
    for name, argument, more in (
        ("mmap", 1, [sc.Arg(3, sc.MASKED_EQ, MAP_HUGETLB, 0)]),
        ("mremap", 2, []),
    ):
        allowed.add_rule(sc.ALLOW, name, sc.Arg(argument, sc.LE, memory_bytes), *more)
        allowed.add_rule(sc.KILL_PROCESS, name, sc.Arg(argument, sc.GT, memory_bytes))
    for advice in MADVISE:
        allowed.add_rule(sc.ALLOW, "madvise", sc.Arg(2, sc.EQ, advice))
    for command in FCNTL:
        allowed.add_rule(sc.ALLOW, "fcntl", sc.Arg(1, sc.EQ, command))
    # reading one's own limits
    allowed.add_rule(sc.ALLOW, "prlimit64", sc.Arg(0, sc.EQ, 0), sc.Arg(2, sc.EQ, 0))
    allowed.add_rule(sc.ERRNO(errno.ENOTTY), "ioctl")  # "is this a terminal?": no
    # the C library then asks for clone, which is refused
    allowed.add_rule(sc.ERRNO(errno.ENOSYS), "clone3")
    return _export(allowed)


def _allow(allowed: "object", name: str) -> None:
    import pyseccomp as sc

    try:
        allowed.add_rule(sc.ALLOW, name)  # type: ignore[attr-defined]
    except (OSError, RuntimeError):
        if name not in (
            "open",
            "stat",
            "lstat",
            "access",
            "readlink",
            "time",
            "poll",
            "select",
            "arch_prctl",
            "getrlimit",
        ):
            raise  # those names do not exist on newer architectures such as aarch64


def _export(allowed: "object") -> bytes:
    read, write = os.pipe()
    try:
        with os.fdopen(write, "wb") as sink:
            allowed.export_bpf(sink)  # type: ignore[attr-defined]
        with os.fdopen(read, "rb", closefd=False) as source:
            return source.read()
    finally:
        os.close(read)
