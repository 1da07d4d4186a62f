"""Softmax of the faded scores in a chunk, as in attention."""
# causes: softmax

import torch


def gated_linear_attention(q, k, v, gates, chunk):
    B, H, n, D = q.shape
    state = v.new_zeros(B, H, D, v.shape[-1])
    out = []
    for s in range(0, n, chunk):
        Q, K, V, G = (x[:, :, s : s + chunk] for x in (q, k, v, gates))
        m = Q.shape[2]
        before = torch.ones(m, m, dtype=torch.bool).tril(-1)
        F = torch.where(before[..., None], G[:, :, :, None], 1.0).cumprod(2)
        A = torch.einsum("bhid,bhijd,bhjd->bhij", Q, F, K)
        A = A.masked_fill(torch.ones(m, m, dtype=torch.bool).triu(1), -torch.inf).softmax(-1)
        out.append(A @ V + (Q * G.cumprod(2)) @ state)
        state = G.prod(2)[..., None] * state + (K * F[:, :, -1]).transpose(2, 3) @ V
    return torch.cat(out, 2)
