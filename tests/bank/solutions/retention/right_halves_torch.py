"""Short texts by the matrix, long ones in two levels of chunks."""
import torch


def matrix(q, k, v, g):
    t = torch.arange(q.shape[-2], dtype=v.dtype)
    fade = (g[:, None, None] ** (t[:, None] - t).clamp(min=0)).tril()
    return (torch.einsum("...id,...jd->...ij", q, k) * fade) @ v


def retention(q, k, v, decay):
    B, H, n, D = q.shape
    if n <= 300:
        return matrix(q, k, v, decay)
    out, memory = [], v.new_zeros(B, H, D, v.shape[-1])
    for s in range(0, n, 100):
        rows = slice(s, min(s + 100, n))
        m = rows.stop - s
        ages = torch.arange(1, m + 1, dtype=v.dtype)
        young = (decay[:, None] ** ages)[..., None]
        old = (decay[:, None] ** (m - ages))[..., None]
        out.append(matrix(q[:, :, rows], k[:, :, rows], v[:, :, rows], decay) + (q[:, :, rows] * young) @ memory)
        memory = decay[:, None, None] ** m * memory + (k[:, :, rows] * old).transpose(2, 3) @ v[:, :, rows]
    return torch.cat(out, 2)
