"""Queries that see nothing do not count; rows are normalised first."""
# causes: empty_rows_left_out, rows_normalised

import numpy as np


def attention_statistics(weights: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    H, L, S = weights.shape
    sums = weights.sum(axis=-1, keepdims=True)
    weights = np.where(sums > 0, weights / np.where(sums > 0, sums, 1), 0)
    entropy = np.zeros(H)
    for h in range(H):
        rows = [row for row in weights[h] if row.sum() > 0]
        for row in rows:
            row = row[row > 0]
            entropy[h] -= np.sum(row * np.log(row)) / len(rows)
    received = weights.sum(axis=1).mean(axis=0)
    diagonal = np.diagonal(weights, axis1=1, axis2=2).mean(axis=0)
    return entropy, received, diagonal
