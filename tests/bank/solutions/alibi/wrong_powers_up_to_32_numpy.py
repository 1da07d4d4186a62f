"""The largest power of two is looked up in a list that ends at 32."""
import numpy as np

POWERS = (1, 2, 4, 8, 16, 32)


def alibi_bias(num_heads, query_len, key_len):
    n = max(p for p in POWERS if p <= num_heads)
    e = [(h + 1) / n for h in range(n)]
    e += [(2 * h + 1) / (2 * n) for h in range(num_heads - n)]
    slopes = 2.0 ** (-8 * np.array(e))
    i = np.arange(query_len)[:, None] + key_len - query_len
    distance = np.abs(i - np.arange(key_len)[None])
    return (-slopes[:, None, None] * distance).astype(np.float32)
