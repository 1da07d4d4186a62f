"""Query by query, over the keys that it sees, picked out of the array."""
import torch


def masked_attention(q, k, v, padding_mask=None, causal=False):
    rows, outs = [], []
    n_queries, n_keys = q.shape[1], k.shape[1]
    for b in range(len(q)):
        for i in range(n_queries):
            seen = torch.ones(n_keys, dtype=torch.bool) if padding_mask is None else padding_mask[b]
            if causal:
                seen = seen & (torch.arange(n_keys) <= i + n_keys - n_queries)
            where = seen.nonzero()[:, 0]
            w = torch.softmax(k[b, where] @ q[b, i] / q.shape[-1] ** 0.5, 0)
            rows.append(torch.zeros(n_keys, dtype=q.dtype).index_add(0, where, w))
            outs.append(w @ v[b, where])
    shape = (len(q), n_queries, -1)
    return torch.stack(outs).reshape(*shape), torch.stack(rows).reshape(*shape)
