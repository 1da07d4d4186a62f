"""Right: one query at a time on the keys that it sees, as a product of a matrix and a vector, log_softmax and a sum; no
mask anywhere."""
import torch


def softcapped_attention(q, k, v, cap, causal=False):
    L, S = q.shape[-2], k.shape[-2]
    root = q.shape[-1] ** 0.5
    cap = float(cap)
    outputs = []
    for i in range(L):
        n = max(0, min(S, i + S - L + 1)) if causal else S
        if n == 0:
            outputs.append(v.new_zeros(v.shape[:-2] + v.shape[-1:]))
            continue
        scores = (k[..., :n, :] * q[..., i:i + 1, :]).sum(dim=-1) / root
        scores = (torch.tanh(scores.double() / cap) * cap).to(q.dtype)
        weights = torch.exp(torch.log_softmax(scores, dim=-1))
        outputs.append((weights.unsqueeze(-1) * v[..., :n, :]).sum(dim=-2))
    return torch.stack(outputs, dim=-2)
