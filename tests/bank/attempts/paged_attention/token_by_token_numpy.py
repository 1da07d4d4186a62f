"""Lists of the tokens of each text, built in a loop; each head by itself."""
# causes: none

import numpy as np


def paged_attention(q, key_pages, value_pages, page_table, lengths):
    B, H, D = q.shape
    T, Dv = value_pages.shape[1], value_pages.shape[3]
    output = np.zeros((B, H, Dv), dtype=value_pages.dtype)
    for b in range(B):
        keys, values = [], []
        for j in range(int(lengths[b])):
            page, slot = page_table[b][j // T], j % T
            keys.append(key_pages[page, slot])
            values.append(value_pages[page, slot])
        if not keys:
            continue
        for h in range(H):
            scores = np.array([key[h] @ q[b, h] for key in keys]) / np.sqrt(D)
            exps = np.exp(scores - np.max(scores))
            probs = exps / np.sum(exps)
            output[b, h] = sum(p * value[h] for p, value in zip(probs, values))
    return output
