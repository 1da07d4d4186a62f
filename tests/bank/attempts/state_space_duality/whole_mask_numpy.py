"""The dual form: one matrix for the whole text."""
# causes: masked_matrix|token_by_token

import numpy as np


def ssd(x, a, b, c, chunk) -> np.ndarray:
    n = x.shape[2]
    i, j = np.arange(n)[:, None], np.arange(n)[None, :]
    L = np.cumprod(np.where(i > j, a[..., None], np.ones(1, a.dtype)), axis=2) * (i >= j).astype(a.dtype)
    return np.einsum("btd,bsd,bhts,bhsv->bhtv", c, b, L, x, optimize=True)
