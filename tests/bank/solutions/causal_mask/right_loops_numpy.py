"""Right: fills the rows from the last one upwards, as a transposed view."""
import numpy as np


def causal_mask(query_len, key_len=None):
    S = query_len if key_len is None else key_len
    columns = np.zeros((S, query_len), dtype=bool)
    for back in range(min(query_len, S)):
        columns[: S - back, query_len - 1 - back] = True
    return columns.T
