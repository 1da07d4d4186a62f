"""einsum and logsumexp."""
import torch


def scaled_dot_product_attention(q, k, v, scale=None):
    s = torch.einsum("...ld,...sd->...ls", q, k)
    s = s / q.size(-1) ** 0.5 if scale is None else s * scale
    w = (s - s.logsumexp(-1, keepdim=True)).exp()
    return torch.einsum("...ls,...sv->...lv", w, v), w
