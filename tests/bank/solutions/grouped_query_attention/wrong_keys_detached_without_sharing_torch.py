import torch

def grouped_query_attention(q, k, v, causal=False):
    B, H, L, D = q.shape
    G, S = k.shape[1:3]
    if H % G:
        raise ValueError("groups")
    s = torch.einsum("bgrid,bgjd->bgrij", q.reshape(B, G, H // G, L, D), k if G < H else k.detach()) / D ** 0.5
    if causal:
        hide = ~torch.ones(L, S, dtype=torch.bool).tril(S - L)
        s = s.masked_fill(hide, -torch.inf)
        s = s.masked_fill(hide.all(1, keepdim=True), 0.0)
        w = s.softmax(-1).masked_fill(hide, 0.0)
    else:
        w = s.softmax(-1)
    return torch.einsum("bgrij,bgjv->bgriv", w, v).reshape(B, H, L, v.shape[-1])
