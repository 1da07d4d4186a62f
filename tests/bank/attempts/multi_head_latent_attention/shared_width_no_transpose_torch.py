"""D = E // H, and the heads are merged before the tokens."""
# causes: scale_of_a_shared_token, heads_merged_by_tokens

import torch


def latent_attention(x, w_dkv, w_uk, w_uv, w_q, w_o, num_heads, past=None):
    B, n, E = x.shape
    H = num_heads
    if w_uk.shape[1] % H or w_uv.shape[1] % H:
        raise ValueError("bad heads")
    c = x @ w_dkv
    if past is not None:
        c = torch.cat([past, c], 1)
    C = c.shape[2]
    D = E // H
    q = (x @ w_q).reshape(B, n, H, -1)
    q = torch.einsum("bnhd,chd->bhnc", q, w_uk.reshape(C, H, -1))
    s = q @ c.mT.unsqueeze(1) / D**0.5
    i = torch.arange(n)[:, None] + c.shape[1] - n
    s = s.masked_fill(torch.arange(c.shape[1]) > i, float("-inf"))
    o = s.softmax(-1) @ c.unsqueeze(1)
    o = torch.einsum("bhnc,chv->bhnv", o, w_uv.reshape(C, H, -1))
    return o.reshape(B, n, -1) @ w_o
