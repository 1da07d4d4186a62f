import torch

def grouped_query_attention(q, k, v, causal=False):
    B, H, L, D = q.shape
    G, S = k.shape[1:3]
    if H % G:
        raise ValueError("groups")
    s = torch.einsum("bgrid,bgjd->bgrij", q.reshape(B, G, H // G, L, D), k) / D ** 0.5
    if causal:
        hide = ~torch.ones(L, S, dtype=torch.bool).tril(S - L)
        w = (s - 1e4 * hide).softmax(-1) * ~hide.all(1, keepdim=True)
    else:
        w = s.softmax(-1)
    return torch.einsum("bgrij,bgjv->bgriv", w, v).reshape(B, H, L, v.shape[-1])
