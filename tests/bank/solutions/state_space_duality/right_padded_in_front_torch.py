"""The first chunk is the one that is not full: empty words come before the text."""
import torch
import torch.nn.functional as F


def ssd(x, a, b, c, chunk):
    n = x.shape[2]
    lack = -n % chunk
    X, A = F.pad(x, (0, 0, lack, 0)).unflatten(2, (-1, chunk)), F.pad(a, (lack, 0)).unflatten(2, (-1, chunk))
    K, Q = (F.pad(m, (0, 0, lack, 0)).unflatten(1, (-1, chunk)) for m in (b, c))
    i = torch.arange(chunk)
    M = torch.where(i[:, None] > i, A[..., None], 1.0).cumprod(-2).tril()
    own = torch.einsum("bzij,bhzij,bhzjv->bhziv", Q @ K.mT, M, X)
    new = torch.einsum("bzjd,bhzj,bhzjv->zbhdv", K, M[..., -1, :], X)
    S, held = torch.zeros_like(new[0]), []
    for z in range(len(new)):
        held.append(S)
        S = A[:, :, z].prod(-1)[..., None, None] * S + new[z]
    far = torch.einsum("bzid,zbhdv,bhzi->bhziv", Q, torch.stack(held), A.cumprod(-1))
    return (own + far).flatten(2, 3)[:, :, lack:]
