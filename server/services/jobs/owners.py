"""The names under which processes hold leases, and which of these processes have ended."""

import os
import socket
from collections.abc import Sequence


def process_name(nonce: str) -> str:
    """Returns the name of this process: host, process id and a nonce."""
    return f"{socket.gethostname()[:60]}:{os.getpid()}:{nonce}"


def ended(owners: Sequence[str], owner: str) -> list[str]:
    """Returns those of `owners` that ran on the host of `owner` and have ended."""
    return [other for other in owners if other != owner and _has_ended(other, owner)]


def _has_ended(other: str, owner: str) -> bool:
    host, pid, _ = owner.rsplit(":", 2)
    other_host, other_pid, _ = other.rsplit(":", 2)
    if other_host != host:
        return False
    # the same process id with another nonce: this process has replaced it
    return other_pid == pid or not _alive(int(other_pid))


def _alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
