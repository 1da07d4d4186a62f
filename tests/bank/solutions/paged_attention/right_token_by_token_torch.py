"""Each token is looked up by itself."""

import torch


def paged_attention(q, key_pages, value_pages, page_table, lengths):
    B, H, D = q.shape
    T = key_pages.shape[1]
    output = torch.zeros((B, H, value_pages.shape[-1]), dtype=q.dtype)
    for b in range(B):
        n = int(lengths[b])
        if n == 0:
            continue
        k = torch.stack([key_pages[page_table[b, j // T], j % T] for j in range(n)])  # (n, H, D)
        v = torch.stack([value_pages[page_table[b, j // T], j % T] for j in range(n)])
        scores = torch.einsum("hd,nhd->hn", q[b], k) / D**0.5
        weights = torch.softmax(scores, dim=-1)
        output[b] = torch.einsum("hn,nhv->hv", weights, v)
    return output
