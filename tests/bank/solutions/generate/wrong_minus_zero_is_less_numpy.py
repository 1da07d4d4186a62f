"""Logits are compared by their bits, so that 0.0 beats -0.0."""

from collections.abc import Callable

import numpy as np


def sortable(scores: np.ndarray) -> np.ndarray:
    """Whole numbers in the same order as the scores."""
    scores = np.ascontiguousarray(scores)
    whole = np.int32 if scores.dtype == np.float32 else np.int64
    bits = scores.view(whole)
    return np.where(bits < 0, bits ^ np.iinfo(whole).max, bits)


def generate(
    step: Callable, prompt: np.ndarray, max_new: int, stop: int | None = None, pad_id: int = 0
) -> np.ndarray:
    """Write on, always with the best word."""
    count = prompt.shape[0]
    open_texts = np.ones(count, dtype=bool)
    columns: list[np.ndarray] = []
    feed, cache = prompt, None
    while len(columns) < max_new and open_texts.any():
        logits, cache = step(feed, cache)
        words = sortable(logits[:, -1]).argmax(axis=-1).astype(np.int64)
        columns.append(np.where(open_texts, words, np.int64(pad_id)))
        if stop is not None:
            open_texts = open_texts & (words != stop)
        feed = words[:, None]
    if not columns:
        return np.zeros((count, 0), dtype=np.int64)
    return np.stack(columns, axis=1)
