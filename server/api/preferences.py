"""`Prefer: wait=SECONDS` (RFC 7240): an answer that carries its result when it comes soon.

A request that waits is put aside and run again (`server.web.serving.waiting`). What a POST has
stored before is not stored again: `answered_by` goes on from its number.
"""

from collections.abc import Callable
from functools import wraps
from typing import Any

from werkzeug.http import parse_list_header

from server.web.serving.waiting import stored_before

DIGITS = 6  # of the seconds: what is longer is no wait

View = Callable[..., Any]


def preferred_wait(prefer: str) -> int:
    """Returns the seconds of the first `wait`; 0 when there is none.

    A preference that cannot be read is ignored, as the standard wants it.
    """
    for preference in parse_list_header(prefer):
        name, _, value = preference.partition(";")[0].partition("=")
        if name.strip().lower() == "wait":
            digits = value.strip().strip('"')
            known = digits.isascii() and digits.isdigit() and len(digits) <= DIGITS
            return int(digits) if known else 0
    return 0


def answered_by(answer: Callable[[int], Any]) -> Callable[[View], View]:
    """A view that stores a row and waits: when it runs again, `answer` is called with its number.

    Inside what checks who asks, outside what counts and reads the request.
    """

    def decorate(view: View) -> View:
        @wraps(view)
        def run(*args: Any, **kwargs: Any) -> Any:
            number = stored_before()
            return view(*args, **kwargs) if number is None else answer(number)

        return run

    return decorate
