"""A last chunk that is not full begins with an empty memory."""
import torch


def gated_linear_attention(q, k, v, gates, chunk):
    B, H, n, D = q.shape
    state = v.new_zeros(B, H, D, v.shape[-1])
    rows = []
    for Q, K, V, G in zip(*(x.split(chunk, 2) for x in (q, k, v, gates))):
        later = torch.ones(Q.shape[2], Q.shape[2], dtype=torch.bool).tril(-1)[:, :, None]
        fade = torch.where(later, G[:, :, :, None], 1).cumprod(2)
        since = G.cumprod(2)
        if Q.shape[2] < min(chunk, n):
            state = 0 * state
        near = torch.einsum("bhid,bhijd,bhjd->bhij", Q, fade, K).tril() @ V
        rows.append(near + (Q * since) @ state)
        state = since[:, :, -1, :, None] * state + (K * fade[:, :, -1]).transpose(2, 3) @ V
    return torch.cat(rows, dim=2)
