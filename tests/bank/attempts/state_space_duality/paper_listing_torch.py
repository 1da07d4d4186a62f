"""The four steps of the paper, in logarithms with plain cumulative sums."""
# causes: difference_of_logarithms

import torch
import torch.nn.functional as F


def ssd(x, a, b, c, chunk) -> torch.Tensor:
    B, H, n, P = x.shape
    pad = -n % chunk
    x, b, c = (F.pad(m, (0, 0, 0, pad)) for m in (x, b, c))
    log_a = F.pad(a, (0, pad), value=1.0).log()
    x = x.view(B, H, -1, chunk, P)
    b, c = (m.view(B, -1, chunk, m.size(-1)) for m in (b, c))
    s = log_a.view(B, H, -1, chunk).cumsum(-1)

    # 1. inside the chunks
    seg = s[..., :, None] - s[..., None, :]
    seg = seg.masked_fill(~torch.ones(chunk, chunk, dtype=torch.bool).tril(), -torch.inf)
    inner = torch.einsum("bkid,bkjd,bhkij,bhkjp->bhkip", c, b, seg.exp(), x)
    # 2. the state that each chunk adds
    states = torch.einsum("bkjd,bhkj,bhkjp->bhkdp", b, (s[..., -1:] - s).exp(), x)
    # 3. from chunk to chunk
    h, before = torch.zeros_like(states[:, :, 0]), []
    for k in range(states.size(2)):
        before.append(h)
        h = s[:, :, k, -1].exp()[..., None, None] * h + states[:, :, k]
    # 4. what comes from before
    outer = torch.einsum("bkid,bhkdp,bhki->bhkip", c, torch.stack(before, 2), s.exp())
    return (inner + outer).reshape(B, H, -1, P)[:, :, :n]
