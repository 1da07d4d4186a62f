"""In another style: vectorize."""

import numpy as np

f = np.vectorize(lambda t, p: t != p, otypes=[bool])


def padding_mask(tokens, pad_id=0):
    return f(tokens, pad_id)[:, np.newaxis]
