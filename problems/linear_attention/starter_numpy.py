import numpy as np  # noqa: F401


def linear_attention(q, k, v):
    """Attention whose cost grows with n, not with n squared.

    q, k: (B, n, D); v: (B, n, Dv). Returns the output, (B, n, Dv).
    """
    raise NotImplementedError
