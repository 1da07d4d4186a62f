"""One new token after the other, each with a cache of its own length."""
import torch


def latent_attention(x, w_dkv, w_uk, w_uv, w_q, w_o, num_heads, past=None):
    if w_uk.size(1) % num_heads > 0 or w_uv.size(1) % num_heads > 0:
        raise ValueError(num_heads)
    uk = torch.stack(w_uk.tensor_split(num_heads, dim=1))
    uv = torch.stack(w_uv.tensor_split(num_heads, dim=1))
    cache = [] if past is None else [past]
    rows = []
    for i in range(x.size(1)):
        cache.append(x[:, i : i + 1] @ w_dkv)
        c = torch.cat(cache, dim=1)
        q = (x[:, i] @ w_q).unflatten(1, (num_heads, uk.size(2)))
        asked = torch.einsum("bhd,hcd->bhc", q, uk)
        w = torch.softmax(asked @ c.mT * uk.size(2) ** -0.5, dim=-1)
        rows.append(torch.einsum("bhc,hcv->bhv", w @ c, uv).flatten(1) @ w_o)
    return torch.stack(rows, dim=1)
