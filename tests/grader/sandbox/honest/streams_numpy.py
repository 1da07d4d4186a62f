"""Text in memory, printing to both streams, logging."""

import io
import logging
import sys
from contextlib import redirect_stdout


def work():
    with redirect_stdout(io.StringIO()) as caught:
        print("inside", flush=True)
    print("out")
    print("err", file=sys.stderr, flush=True)
    logging.basicConfig(level=logging.INFO)
    logging.getLogger("learner").info("a line")
    return caught.getvalue() == "inside\n"
