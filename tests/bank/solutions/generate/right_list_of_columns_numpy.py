"""A list of columns, put together at the end; ended texts go on reading what they would have said."""
import numpy as np


def generate(step, prompt, max_new, stop=None, pad_id=0):
    columns, alive, cache, given = [], np.full(len(prompt), True), None, prompt
    for _ in range(max_new):
        logits, cache = step(given, cache)
        said = np.argmax(logits[:, -1, :], axis=1)
        columns.append(np.where(alive, said, pad_id))
        if stop is not None:
            alive &= said != stop
        if not alive.any():
            break
        given = said.reshape(-1, 1)
    return np.stack(columns, axis=1) if columns else np.empty((len(prompt), 0), dtype=np.int64)
