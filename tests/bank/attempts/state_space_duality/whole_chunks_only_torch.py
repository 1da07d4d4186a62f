"""Reshapes into chunks, and swaps the roles of b and c."""
# causes: chunk_must_divide, b_and_c_swapped

import torch


def ssd(x, a, b, c, chunk):
    B, H, n, Dv = x.shape
    X, A = x.reshape(B, H, n // chunk, chunk, Dv), a.reshape(B, H, n // chunk, chunk)
    K, Q = c.reshape(B, n // chunk, chunk, -1), b.reshape(B, n // chunk, chunk, -1)
    i = torch.arange(chunk)
    L = torch.where(i[:, None] > i[None], A[..., None], 1.0).cumprod(-2) * (i[:, None] >= i[None])
    near = torch.einsum("bzid,bzjd,bhzij,bhzjv->bhziv", Q, K, L, X)
    put = torch.einsum("bzjd,bhzj,bhzjv->bhzdv", K, L[..., -1, :], X)
    h, y = torch.zeros_like(put[:, :, 0]), []
    for z in range(n // chunk):
        far = torch.einsum("bid,bhi,bhdv->bhiv", Q[:, z], A[:, :, z].cumprod(-1), h)
        y.append(near[:, :, z] + far)
        h = A[:, :, z].prod(-1)[..., None, None] * h + put[:, :, z]
    return torch.cat(y, 2)
