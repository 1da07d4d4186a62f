"""The paper's algorithm with masked products and einsum."""
# causes: none

import torch
import torch.nn.functional as F


def ssd(x, a, b, c, chunk) -> torch.Tensor:
    batch, heads, n, width = x.shape
    extra = (chunk - n % chunk) % chunk
    X = F.pad(x, (0, 0, 0, extra)).unflatten(2, (-1, chunk))
    A = F.pad(a, (0, extra), value=1.0).unflatten(2, (-1, chunk))
    Bk = F.pad(b, (0, 0, 0, extra)).unflatten(1, (-1, chunk))
    Ck = F.pad(c, (0, 0, 0, extra)).unflatten(1, (-1, chunk))
    t = torch.arange(chunk)
    L = torch.where(t[:, None] > t, A.unsqueeze(-1), torch.ones((), dtype=x.dtype)).cumprod(-2)
    L = L * (t[:, None] >= t)
    diagonal = torch.einsum("bkid,bkjd,bhkij,bhkjv->bhkiv", Ck, Bk, L, X)
    fresh = torch.einsum("bkjd,bhkj,bhkjv->kbhdv", Bk, L[..., -1, :], X)
    decay = A.prod(-1).permute(2, 0, 1)
    state, states = torch.zeros_like(fresh[0]), []
    for f, d in zip(fresh, decay):
        states.append(state)
        state = d[..., None, None] * state + f
    far = torch.einsum("bkid,kbhdv,bhki->bhkiv", Ck, torch.stack(states), A.cumprod(-1))
    return (diagonal + far).flatten(2, 3)[:, :, :n]
