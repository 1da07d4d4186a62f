"""The state of the earlier chunks is read by all words of a chunk alike."""
# causes: memory_read_as_it_is

import torch


def gated_linear_attention(q, k, v, gates, chunk):
    state = v.new_zeros(*q.shape[:2], q.shape[3], v.shape[3])
    out = []
    for Q, K, V, G in zip(*(x.split(chunk, dim=2) for x in (q, k, v, gates))):
        m = Q.shape[2]
        i = torch.arange(m)
        F = torch.where((i[:, None] > i)[..., None], G[:, :, :, None], torch.tensor(1, dtype=G.dtype))
        F = torch.cumprod(F, dim=2)
        A = torch.einsum("bhid,bhijd,bhjd->bhij", Q, F, K).masked_fill(i[:, None] < i, 0)
        out.append(A @ V + Q @ state)
        state = G.prod(dim=2).unsqueeze(-1) * state + (K * F[:, :, -1]).mT @ V
    return torch.cat(out, dim=2)
