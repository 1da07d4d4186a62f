"""Words are ranked after the maximum was subtracted, where tiny logits become equal."""

import numpy as np


def next_token(logits: np.ndarray, temperature: float, top_k: int, top_p: float, u: float) -> int:
    score = np.asarray(logits, dtype=np.float64)
    if temperature == 0:
        return int(np.argmax(score))

    z = (score - score.max()) / temperature
    order = np.argsort(-z, kind="stable")
    if top_k > 0:
        order = order[:top_k]

    mass = np.exp(z[order])
    if top_p < 1:
        reached = np.cumsum(mass / mass.sum())
        before = np.concatenate(([0.0], reached[:-1]))
        order = order[before < top_p]

    stay = np.sort(order)
    mass = np.exp(z[stay])
    edges = np.cumsum(mass)
    seat = int(np.searchsorted(edges, u * edges[-1], side="right"))
    return int(stay[min(seat, int(np.flatnonzero(mass)[-1]))])
