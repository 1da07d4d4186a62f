"""Texts among results: they come as their bytes in UTF-8, and are told and shown in quotes."""

import numpy as np

from grader.inside.nested import TEXT

TOLD = 60  # characters of a text in a finding
BEFORE = 20  # of those, the ones before the first difference
SHOWN = 400  # characters of a text beside the numbers of a sample
MORE = "…"


def shown(array: np.ndarray, dtype: str) -> np.ndarray:
    """Returns an array as a reader sees it: a text in quotes, in an array without axes."""
    if dtype != TEXT:
        return array
    return np.array(_excerpt(_text(array), 0, SHOWN))


def told(actual: np.ndarray, expected: np.ndarray) -> tuple[str, str]:
    """Returns what is told of two texts that differ: the part where they begin to."""
    texts = _text(actual), _text(expected)
    first = next((i for i, (a, b) in enumerate(zip(*texts, strict=False)) if a != b), None)
    begin = 0
    if max(map(len, texts)) > TOLD:
        begin = max(0, (min(map(len, texts)) if first is None else first) - BEFORE)
    return _excerpt(texts[0], begin, TOLD), _excerpt(texts[1], begin, TOLD)


def _excerpt(text: str, begin: int, most: int) -> str:
    part = ascii(text[begin : begin + most])
    return f"{MORE if begin else ''}{part}{MORE if len(text) > begin + most else ''}"


def _text(array: np.ndarray) -> str:
    return array.tobytes().decode("utf-8", "replace")
