"""Pages laid out flat; the place of each token in memory is computed."""

import math

import torch


def paged_attention(q, key_pages, value_pages, page_table, lengths):
    H, D = q.shape[1:]
    T, Dv = key_pages.shape[1], value_pages.shape[-1]
    all_k, all_v = key_pages.reshape(-1, H, D), value_pages.reshape(-1, H, Dv)
    outputs = []
    for b, n in enumerate(lengths.tolist()):
        j = torch.arange(n)
        slots = page_table[b][j // T] * T + j % T
        k, v = all_k[slots], all_v[slots]  # (n, H, ·)
        heads = []
        for h in range(H):
            if n == 0:
                heads.append(q[b, h].sum() * 0 + torch.zeros(Dv, dtype=q.dtype))
                continue
            scores = k[:, h] @ q[b, h] / math.sqrt(D)
            weights = torch.softmax(scores, dim=-1)
            heads.append(weights @ v[:, h])
        outputs.append(torch.stack(heads))
    return torch.stack(outputs)
