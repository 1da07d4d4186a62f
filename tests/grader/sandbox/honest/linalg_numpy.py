"""Solve, factorise, invert."""

import numpy as np


def work():
    a = np.random.default_rng(0).standard_normal((60, 60))
    u, s, vt = np.linalg.svd(a)
    q, r = np.linalg.qr(a)
    return (
        np.allclose(u * s @ vt, a)
        and np.allclose(q @ r, a)
        and np.allclose(np.linalg.solve(a, a), np.eye(60))
        and np.linalg.eigvals(a).size == 60
    )
