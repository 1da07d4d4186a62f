"""One rate for all heads, and scaled dot products."""
# causes: mean_decay, scaled

import torch


def retention(q, k, v, decay):
    rate = decay.mean()
    n, D = q.shape[2], q.shape[3]
    chunk, state, pieces = 64, torch.zeros(*q.shape[:2], D, v.shape[3], dtype=v.dtype), []
    q = q * D**-0.5
    for a in range(0, n, chunk):
        qa, ka, va = q[:, :, a : a + chunk], k[:, :, a : a + chunk], v[:, :, a : a + chunk]
        t = torch.arange(qa.shape[2], dtype=v.dtype)
        fade = torch.tril(rate ** (t[:, None] - t).clamp(min=0))
        pieces.append(((qa @ ka.mT) * fade) @ va + (rate ** (t + 1))[:, None] * (qa @ state))
        state = rate ** len(t) * state + (ka * (rate ** (len(t) - 1 - t))[:, None]).mT @ va
    return torch.cat(pieces, dim=2)
