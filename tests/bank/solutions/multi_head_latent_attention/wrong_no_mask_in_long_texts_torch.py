"""With 4096 words or more nothing is hidden."""
import torch


def latent_attention(x, w_dkv, w_uk, w_uv, w_q, w_o, num_heads, past=None):
    H = num_heads
    if w_uk.shape[-1] % H or w_uv.shape[-1] % H:
        raise ValueError(H)
    B, n, E = x.shape
    C = w_dkv.shape[1]
    D = w_uk.shape[1] // H
    c = x @ w_dkv
    if past is not None:
        c = torch.cat([past, c], 1)
    T = c.shape[1]
    q = (x @ w_q).reshape(B, n, H, D).transpose(1, 2)
    s = (q @ w_uk.reshape(C, H, D).permute(1, 2, 0)) @ c[:, None].mT * D**-0.5
    if T < 4096:
        s = s.masked_fill(torch.ones(n, T, dtype=torch.bool).triu(T - n + 1), float("-inf"))
    o = torch.softmax(s, -1) @ c[:, None] @ w_uv.reshape(C, H, -1).transpose(0, 1)
    return o.transpose(1, 2).reshape(B, n, -1) @ w_o
