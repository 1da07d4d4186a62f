"""Swallow the failure in every hook that sees an exception.

rows: 25
verdicts: runtime_error
"""
import faulthandler
import logging
import sys
import threading

sys.excepthook = sys.__excepthook__ = sys.unraisablehook = threading.excepthook = lambda *a: None
logging.raiseExceptions = False
logging.disable(logging.CRITICAL)
faulthandler.disable()


def scaled_dot_product_attention(q, k, v, scale=None):
    raise ValueError("nobody shall see this")
