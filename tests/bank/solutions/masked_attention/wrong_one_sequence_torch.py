"""A batch of one loses its batch axis."""
import torch


def masked_attention(q, k, v, padding_mask=None, causal=False):
    s = q @ k.mT / q.shape[-1] ** 0.5
    L, S = s.shape[1:]
    seen = torch.ones_like(s, dtype=torch.bool)
    if padding_mask is not None:
        seen = seen & padding_mask[:, None]
    if causal:
        seen = seen.tril(S - L)
    w = torch.softmax(s.masked_fill(~seen, torch.finfo(s.dtype).min), -1) * seen
    return (w @ v).squeeze(0), w.squeeze(0)
