"""Memory that a long submission leaves behind goes back to the system.

The C library keeps what was freed between blocks that are in use: after 70,000 submissions, some of
them with large results, a service held 264 MiB of 834 for nothing.
"""

import contextlib
import ctypes

LONG_S = 1.0  # a submission that took so long may have brought much


def give_back() -> None:
    """Gives back what is free; where the C library offers no way to, nothing happens."""
    with contextlib.suppress(AttributeError, OSError):
        ctypes.CDLL(None).malloc_trim(0)
