"""Where the scores of a window lie more than 1000 apart, the best key takes everything."""
import torch


def sliding_window_attention(q, k, v, window):
    n, width = q.shape[-2:]
    place = torch.arange(n)
    outputs = []
    for first in range(0, n, 128):
        stop = min(first + 128, n)
        lo, hi = max(0, first - window), min(n, stop + window)
        seen = (place[first:stop, None] - place[lo:hi]).abs() <= window
        scores = q[..., first:stop, :] @ k[..., lo:hi, :].transpose(-1, -2) / width**0.5
        worst = scores.masked_fill(~seen, torch.inf).amin(dim=-1, keepdim=True)
        scores = scores.masked_fill(~seen, -torch.inf)
        best = scores.amax(dim=-1, keepdim=True)
        weights = torch.softmax(scores, dim=-1)
        alone = torch.arange(hi - lo) == scores.argmax(dim=-1, keepdim=True)
        weights = torch.where(best - worst > 1000, alone.to(weights), weights)
        outputs.append(weights @ v[..., lo:hi, :])
    return torch.cat(outputs, dim=-2)
