"""Whether `grade` leaves its room warm for the next run, and where."""

import os
import sys
from pathlib import Path

from grader import storage
from grader.engine import engine
from grader.errors import UsageError
from grader.findings.text import T_
from grader.sandbox import Keep
from grader.sandbox.launchers import interpreter

VARIABLE = "GRADE_KEEP"
CHOICES = ("auto", "always", "never")


def folder() -> Path:
    """Where the keeper of this installation has its socket."""
    return storage.data_folder() / "room"


def rooms_kept(wanted: bool | None) -> Keep | None:
    """Where rooms are kept warm; None when this run shall leave nothing behind.

    `wanted` is what the command line says, if anything. Raises `UsageError`.
    """
    if not (_by_default() if wanted is None else wanted) or sys.platform != "linux":
        return None
    return Keep(folder(), f"{engine()} {interpreter()} {_inherited()}")


def _inherited() -> str:
    """What a room takes over from the run that starts it and cannot change: priority and limits. A
    run with others gets a room of its own.
    """
    import resource

    names = sorted(name for name in dir(resource) if name.startswith("RLIMIT_"))
    limits = [resource.getrlimit(getattr(resource, name)) for name in names]
    shown = " ".join(f"{soft}:{hard}" for soft, hard in limits)
    return f"nice {os.getpriority(os.PRIO_PROCESS, 0)} limits {shown}"


def _by_default() -> bool:
    """What GRADE_KEEP says; by default only a person at a terminal is likely to run again."""
    setting = os.environ.get(VARIABLE) or CHOICES[0]
    if setting not in CHOICES:
        words = T_(
            "%(name)s is '%(value)s'; it may be %(choices)s",
            name=VARIABLE,
            value=setting,
            choices=", ".join(CHOICES),
        )
        raise UsageError(words)
    return setting == "always" or (
        setting == "auto" and sys.stderr.isatty() and not os.environ.get("CI")
    )
