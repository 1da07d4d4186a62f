"""Exceptions caught, chained, printed and formatted."""

import sys
import traceback


def work():
    try:
        try:
            raise ValueError("inner")
        except ValueError as error:
            raise KeyError("outer") from error
    except KeyError as error:
        traceback.print_exc(file=sys.stderr)
        return "inner" in "".join(traceback.format_exception(error))
