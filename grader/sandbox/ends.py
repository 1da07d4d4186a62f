"""How a call or a child can end, as the judge tells it."""

import contextlib
import os
import select
import signal
import time
from collections.abc import Callable, Mapping
from typing import Any

from grader.model import Ended, Failure, Limits, Run
from grader.sandbox.intake import decode
from grader.sandbox.intake.channel import Channel
from grader.sandbox.intake.reader import Unread

# a closed channel and the end of its process belong together when they are no further apart
END_S = 0.5
STOP_S = 0.2  # for a program whose time is over to say in which line it is
SLOW = (Ended.WALL_TIME, Ended.CPU_TIME)
# after these ends, the same child gets the next case
GOES_ON = (Ended.RETURNED, Ended.RAISED, Ended.BAD_STATE)


class Unusual(Exception):
    """Cases that were sent all at once did not all end as usual; they have to be run one by one."""


def await_end(host_pid: int) -> None:
    """Gives a child that closed its channel a moment to end with its own exit status."""
    if host_pid and hasattr(os, "pidfd_open"):
        with contextlib.suppress(OSError):
            descriptor = os.pidfd_open(host_pid)
            try:
                poll = select.poll()  # select() knows no descriptor above 1023
                poll.register(descriptor, select.POLLIN)
                poll.poll(END_S * 1000)
            finally:
                os.close(descriptor)


def ordinary(run: Run) -> bool:
    """Did the call end without touching a limit?"""
    return run.ended in GOES_ON and not (run.error and decode.is_memory_error(run.error))


def over_total(limits: Limits) -> Failure:
    """Returns the failure of a submission that has used its time for all cases together."""
    return Failure("total", f"more than {limits.total_s:g} s for the whole submission")


def stop(
    command: Callable[[Mapping[str, Any]], object], pid: int, channel: Channel, limits: Limits
) -> Unread | None:
    """Lets the zygote ask a program whose time is over to stop where it is.

    Returns what it answers, if anything: it need not, and is ended afterwards anyway.
    """
    command({"do": "stop", "pid": pid})
    ended, unread = channel.receive(time.monotonic() + STOP_S, limits.text_kib, None)
    return unread if ended is None else None


def line_of(stopped: Run) -> Failure | None:
    """Returns the line in which a program was stopped."""
    error = stopped.error
    return Failure("", lineno=error.lineno) if error and error.type == "OutOfTime" else None


def exit_of(code: int) -> Failure:
    """Returns how a process ended: by a signal, or with an exit status."""
    if code < 0:
        return Failure(_signal_name(-code), "signal")
    return Failure(f"exit {code}", "exit")


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
