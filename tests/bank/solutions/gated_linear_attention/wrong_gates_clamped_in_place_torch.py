"""The gates of the caller are kept from 0 in place, behind the back of autograd."""
import torch


def gated_linear_attention(q, k, v, gates, chunk):
    with torch.no_grad():
        gates.data.clamp_(min=1e-30)
    S, o = v.new_zeros(*q.shape[:2], q.shape[3], v.shape[3]), []
    for Q, K, V, G in zip(*(x.split(chunk, 2) for x in (q, k, v, gates))):
        m = Q.shape[2]
        F = torch.where(torch.ones(m, m, dtype=torch.bool).tril(-1)[..., None], G[:, :, :, None], 1).cumprod(2)
        P = G.cumprod(2)
        o.append(torch.einsum("bhid,bhijd,bhjd->bhij", Q, F, K).tril() @ V + (Q * P) @ S)
        S = P[:, :, -1, :, None] * S + (K * F[:, :, -1]).mT @ V
    return torch.cat(o, 2)
