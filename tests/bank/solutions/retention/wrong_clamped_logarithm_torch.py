"""A clamp keeps the gradient from a decay of 0."""
import torch


def retention(q, k, v, decay):
    n = q.shape[2]
    c = 64
    lg = torch.log(decay.clamp_min(1e-30))
    outs = []
    state = q.new_zeros(q.shape[0], q.shape[1], q.shape[3], v.shape[3])
    for s in range(0, n, c):
        qc, kc, vc = q[:, :, s:s + c], k[:, :, s:s + c], v[:, :, s:s + c]
        m = qc.shape[2]
        i = torch.arange(m, dtype=q.dtype)
        d = i[:, None] - i[None, :]
        w = torch.where(d >= 0, torch.exp(lg[:, None, None] * d.clamp_min(0)), torch.zeros((), dtype=q.dtype))
        o = (qc @ kc.transpose(-1, -2) * w) @ vc + torch.exp(lg[:, None] * (i + 1))[..., None] * (qc @ state)
        state = torch.exp(lg * m)[:, None, None] * state + (kc * torch.exp(lg[:, None] * (m - 1 - i))[..., None]).transpose(-1, -2) @ vc
        outs.append(o)
    return torch.cat(outs, 2)
