"""outer, cos and sin, repeat_interleave."""
import torch


def apply_rope(x, positions, base=10000.0):
    D = x.size(-1)
    if D % 2 != 0:
        raise ValueError("head width must be even")
    inv_freq = 1.0 / (base ** (torch.arange(0, D, 2).to(x.dtype) / D))
    freqs = torch.outer(positions.to(x.dtype), inv_freq)
    cos = freqs.cos().repeat_interleave(2, dim=-1)
    sin = freqs.sin().repeat_interleave(2, dim=-1)
    turned = torch.stack((-x[..., 1::2], x[..., ::2]), dim=-1).flatten(-2)
    return x * cos + turned * sin
