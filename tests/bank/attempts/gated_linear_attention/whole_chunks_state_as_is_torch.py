"""As many chunks as fit, and the state is handed on unfaded."""
# causes: last_chunk_dropped, memory_not_faded

import torch


def gated_linear_attention(q, k, v, gates, chunk):
    B, H, n, D = q.shape
    C = min(chunk, n)
    S = v.new_zeros(B, H, D, v.shape[-1])
    out = []
    below = torch.ones(C, C, dtype=torch.bool).tril(-1)[:, :, None]
    for c in range(n // C):
        Q, K, V, G = (x[:, :, c * C : (c + 1) * C] for x in (q, k, v, gates))
        W = torch.where(below, G[:, :, :, None], 1.0).cumprod(2)
        A = torch.einsum("bhid,bhijd,bhjd->bhij", Q, W, K).tril()
        out.append(A @ V + (Q * G.cumprod(2)) @ S)
        S = S + (K * W[:, :, -1]).transpose(2, 3) @ V
    out.append(v.new_zeros(B, H, n - n // C * C, v.shape[-1]))
    return torch.cat(out, 2)
