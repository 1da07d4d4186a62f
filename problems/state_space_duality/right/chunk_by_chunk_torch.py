# A loop over chunks that names the axes with einsum: nothing is padded.
import torch


def ssd(x, a, b, c, chunk):
    B, H, _, Dv = x.shape
    state = x.new_zeros(B, H, b.shape[-1], Dv)
    y = []
    parts = (m.split(chunk, dim) for m, dim in ((x, 2), (a, 2), (b, 1), (c, 1)))
    for xs, decays, bs, cs in zip(*parts, strict=True):
        below = torch.ones(decays.shape[-1], decays.shape[-1], dtype=torch.bool).tril(-1)
        kept = torch.where(below, decays[..., None], 1).cumprod(dim=2).tril()
        scores = torch.einsum("bid,bjd->bij", cs, bs)
        past = torch.einsum("bid,bhi,bhdv->bhiv", cs, decays.cumprod(dim=-1), state)
        y.append((scores[:, None] * kept) @ xs + past)
        written = torch.einsum("bjd,bhj,bhjv->bhdv", bs, kept[:, :, -1], xs)
        state = decays.prod(dim=-1)[..., None, None] * state + written
    return torch.cat(y, dim=2)
