"""Long work says again and again that it goes on, so that what a dead worker left is taken up soon,
and what a slow one does is not.
"""

import contextlib
import threading
from collections.abc import Callable, Iterator

from sqlalchemy.exc import SQLAlchemyError


@contextlib.contextmanager
def renewed(renew: Callable[[], None], every: float) -> Iterator[None]:
    """Call `renew` every so many seconds, in a thread of its own, until the block ends.

    A renewal that fails is tried again next time.
    """
    over = threading.Event()

    def go_on() -> None:
        while not over.wait(every):
            with contextlib.suppress(SQLAlchemyError):
                renew()

    thread = threading.Thread(target=go_on, name="lease", daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()
