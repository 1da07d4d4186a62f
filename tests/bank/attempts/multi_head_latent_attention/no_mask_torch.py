"""Every token looks at every latent."""
# causes: not_causal

import torch


def latent_attention(x, w_dkv, w_uk, w_uv, w_q, w_o, num_heads, past=None) -> torch.Tensor:
    B, n, _ = x.shape
    C, K = w_uk.shape
    if K % num_heads or w_uv.shape[1] % num_heads:
        raise ValueError(f"{num_heads} heads do not divide the columns")
    D = K // num_heads
    c = x @ w_dkv
    if past is not None:
        c = torch.cat([past, c], dim=1)
    S = c.shape[1]
    uk = w_uk.reshape(C, num_heads, D)
    uv = w_uv.reshape(C, num_heads, -1)
    q = (x @ w_q).reshape(B, n, num_heads, D)
    qc = torch.einsum("bnhd,chd->bhnc", q, uk)
    scores = torch.einsum("bhnc,bsc->bhns", qc, c) / D**0.5
    w = scores.softmax(-1)
    wc = torch.einsum("bhns,bsc->bhnc", w, c)
    out = torch.einsum("bhnc,chv->bnhv", wc, uv).reshape(B, n, -1)
    return out @ w_o
