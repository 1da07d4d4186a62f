"""Makes every row sum to 1 first, so a row that sees nothing becomes NaN."""

import numpy as np


def attention_statistics(weights):
    w = weights / weights.sum(axis=-1, keepdims=True)
    logs = np.log(np.where(w > 0, w, 1))
    entropy = -(w * logs).sum(axis=-1).mean(axis=-1)
    return entropy, w.sum(axis=1).mean(axis=0), np.diagonal(w, axis1=1, axis2=2).mean(axis=0)
