"""Signatures and modules looked at; modules imported late."""

import importlib
import inspect


def work(a=1, *, b=2):
    return list(inspect.signature(work).parameters) == ["a", "b"] and importlib.import_module(
        "colorsys"
    ).rgb_to_hsv(1, 0, 0) == (
        0.0,
        1.0,
        1.0,
    )
