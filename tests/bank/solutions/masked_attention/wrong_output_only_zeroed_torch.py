"""Wrong: fills with the dtype's minimum and blanks the output of empty rows, but not their (uniform) weights."""
import torch


def masked_attention(q, k, v, padding_mask=None, causal=False):
    L, S, D = q.shape[1], k.shape[1], q.shape[2]
    scores = q @ k.mT / D**0.5
    seen = torch.ones_like(scores, dtype=torch.bool)
    if padding_mask is not None:
        seen = seen & padding_mask[:, None]
    if causal:
        seen = seen & torch.ones(L, S, dtype=torch.bool).tril(S - L)
    weights = scores.masked_fill(~seen, torch.finfo(scores.dtype).min).softmax(-1)
    output = (weights @ v).masked_fill(~seen.any(-1, keepdim=True), 0)
    return output, weights
