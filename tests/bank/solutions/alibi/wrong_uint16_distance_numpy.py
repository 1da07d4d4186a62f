# wrong: distances are kept as uint16; with a distance of 65536 or more (tens of thousands, e.g. L = 1, S = 70000) they wrap around to small ones
import numpy as np


def _slopes(heads):
    n = 1 << (heads.bit_length() - 1)
    first = [2.0 ** (-8.0 * (h + 1) / n) for h in range(n)]
    return np.array(first + [2.0 ** (-4.0 * (2 * h + 1) / n) for h in range(heads - n)])


def alibi_bias(num_heads, query_len, key_len):
    queries = np.arange(query_len) + key_len - query_len
    gap = np.abs(queries[:, None] - np.arange(key_len)).astype(np.uint16)  # half the memory
    return (-_slopes(num_heads)[:, None, None] * gap).astype(np.float32)
