"""Locks a fresh container before any of the submission runs.

Runs inside the room only.
"""

import ctypes
import functools
import os
import resource
import struct
import sys
import tempfile
from collections.abc import Mapping
from typing import Any

MS_RDONLY, MS_NOSUID, MS_NODEV, MS_NOEXEC = 1, 2, 4, 8
PR_SET_SECCOMP, PR_SET_NO_NEW_PRIVS = 22, 38
CAPABILITY_VERSION_3 = 0x20080522


def cover_proc() -> None:
    """Puts an empty file system over /proc."""
    flags = MS_NOSUID | MS_NODEV | MS_NOEXEC | MS_RDONLY
    if _libc().mount(b"none", b"/proc", b"tmpfs", flags, b"size=4k,nr_inodes=2,mode=555") != 0:
        os._exit(71)


def restrict(sealed: bool) -> None:
    """Gives up what no submission may have, while the container waits for one: the environment,
    files and, where the room is sealed, all capabilities.
    """
    os.environ.clear()
    # Only names: parts of torch (optimisers, checkpoint, torch.func) ask for them as they are
    # imported; nothing can be written there.
    os.environ["TORCHINDUCTOR_CACHE_DIR"] = tempfile.tempdir = "/tmp"
    _limit(resource.RLIMIT_CORE, 0)
    if not sealed:
        return
    _limit(resource.RLIMIT_FSIZE, 0)
    _limit(resource.RLIMIT_NOFILE, 64)
    _limit(resource.RLIMIT_MEMLOCK, 0)
    header, data = struct.pack("Ii", CAPABILITY_VERSION_3, 0), bytes(24)
    libc = _libc()
    if libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) or libc.capset(header, data):
        os._exit(72)


def lock(limits: Mapping[str, Any], warm_bytes: int, program: bytes) -> None:
    """Limits, then the filter: after this line nothing can be taken back."""
    _limit(resource.RLIMIT_CPU, int(limits["cpu_s"]) + 1)
    if sys.platform == "linux":
        _limit(resource.RLIMIT_AS, warm_bytes + limits["headroom"] * limits["memory_bytes"])
    if not program:
        return
    buffer = ctypes.create_string_buffer(program, len(program))
    fprog = ctypes.create_string_buffer(
        struct.pack("@HP", len(program) // 8, ctypes.addressof(buffer))
    )
    if _libc().prctl(PR_SET_SECCOMP, 2, fprog, 0, 0):
        os._exit(72)


@functools.cache
def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)


def _limit(kind: int, value: int) -> None:
    _, hard = resource.getrlimit(kind)
    if hard != resource.RLIM_INFINITY:
        value = min(value, hard)
    resource.setrlimit(kind, (value, value))
