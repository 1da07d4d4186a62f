"""The memory as (Dv, D), as the papers have it, and the gate split between both sides."""
import torch


def delta_rule(q, k, v, beta):
    B, H, n, D = q.shape
    state = q.new_zeros(B, H, v.shape[-1], D)
    eye = torch.eye(D, dtype=q.dtype)
    out = []
    for i in range(n):
        key, gate = k[:, :, i, :, None], beta[:, :, i, None, None]
        state = state @ (eye - gate * key @ key.mT) + (gate * v[:, :, i, :, None]) @ key.mT
        out.append((state @ q[:, :, i, :, None])[..., 0])
    return torch.stack(out, 2)
