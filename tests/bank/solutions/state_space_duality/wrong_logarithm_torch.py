"""Wrong: "gradients flow to a, also where a decay is 0": decays are held above 1e-38 for the logarithm (segment sums as
in the paper). Values are right to rounding; the gradient of a decay of exactly 0 is 0 instead of what it would let through."""
import torch


def _decays(log_a):
    m = log_a.shape[-1]
    wide = log_a[..., :, None].expand(*log_a.shape, m)
    later = torch.ones(m, m, dtype=torch.bool).tril(-1)
    sums = wide.masked_fill(~later, 0.0).cumsum(dim=-2)
    return sums.exp().tril()


def ssd(x, a, b, c, chunk) -> torch.Tensor:
    batch, heads, n, wide = x.shape
    log_a = a.clamp(min=1e-38).log()
    state = x.new_zeros(batch, heads, b.shape[2], wide)
    parts = []
    for begin in range(0, n, chunk):
        s = slice(begin, min(begin + chunk, n))
        xc, bc, cc = x[:, :, s], b[:, None, s], c[:, None, s]
        decays = _decays(log_a[:, :, s])
        start = log_a[:, :, s].cumsum(dim=-1).exp()[..., None]
        parts.append((cc @ bc.transpose(-1, -2) * decays) @ xc + start * (cc @ state))
        left = bc.transpose(-1, -2) @ (decays[..., -1, :, None] * xc)
        state = start[:, :, -1, :, None] * state + left
    return torch.cat(parts, dim=2)
