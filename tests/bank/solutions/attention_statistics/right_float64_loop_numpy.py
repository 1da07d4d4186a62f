"""Float64 inside, head by head in Python, cast back at the end."""

import numpy as np


def attention_statistics(weights):
    w = weights.astype(np.float64)
    entropy, received, diagonal = [], 0, 0
    for head in w:
        entropy.append(np.mean([-(row[row > 0] * np.log(row[row > 0])).sum() for row in head]))
        received = received + head.sum(axis=0) / len(w)
        diagonal = diagonal + np.diag(head) / len(w)
    return tuple(np.asarray(x, dtype=weights.dtype) for x in (entropy, received, diagonal))
