"""The gates pass a sigmoid, the scores are scaled."""
# causes: sigmoid_again, scaled

import torch


def gated_linear_attention(q, k, v, gates, chunk):
    g = torch.sigmoid(gates).log()
    scale = q.shape[-1] ** -0.5
    S, out = v.new_zeros(*k.shape[:2], k.shape[3], v.shape[3]), []
    for s in range(0, q.shape[2], chunk):
        qc, kc, vc, b = q[:, :, s : s + chunk] * scale, k[:, :, s : s + chunk], v[:, :, s : s + chunk], g[:, :, s : s + chunk].cumsum(2)
        P = (b.unsqueeze(3) - b.unsqueeze(2)).clamp(max=0).exp()
        A = torch.einsum("bhid,bhijd,bhjd->bhij", qc, P, kc).tril()
        out.append(A @ vc + (qc * b.exp()) @ S)
        S = b[:, :, -1].exp()[..., None] * S + (kc * P[:, :, -1]).transpose(2, 3) @ vc
    return torch.cat(out, 2)
