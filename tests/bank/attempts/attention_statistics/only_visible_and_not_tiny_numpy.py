"""Weights under a millionth are noise, and a query without weights does not belong to the mean."""
# causes: empty_rows_left_out, faint_weights_dropped

import numpy as np


def attention_statistics(weights):
    H, L, S = weights.shape
    entropy = np.zeros(H, dtype=weights.dtype)
    for h in range(H):
        per_query = []
        for row in weights[h]:
            if not row.any():
                continue
            seen = row[row > 1e-6]
            per_query.append(-np.sum(seen * np.log(seen)))
        if per_query:
            entropy[h] = sum(per_query) / len(per_query)
    received = np.sum(weights, axis=(0, 1)) / H
    m = min(L, S)
    diagonal = np.stack([weights[:, i, i] for i in range(m)], axis=-1).mean(axis=0)
    return entropy, received, diagonal
