"""Einsum throughout, with q and k each scaled by d^(1/4) and a row of -inf filled with 0 after the softmax."""
import torch


def multi_head_attention(q, k, v, w_q, w_k, w_v, w_o, num_heads, mask=None):
    E = q.size(-1)
    if E % num_heads:
        raise ValueError("the heads do not fit")
    d = E // num_heads
    wq, wk, wv = (w.reshape(E, num_heads, d) for w in (w_q, w_k, w_v))
    Q = torch.einsum("ble,ehd->bhld", q, wq) / d**0.25
    K = torch.einsum("bse,ehd->bhsd", k, wk) / d**0.25
    V = torch.einsum("bse,ehd->bhsd", v, wv)
    s = torch.einsum("bhld,bhsd->bhls", Q, K)
    if mask is not None:
        s = torch.where(mask, s, float("-inf"))
    w = s.softmax(-1)
    if mask is not None:
        w = torch.where(mask.any(-1, keepdim=True), w, 0.0)
    return torch.einsum("bhls,bhsd,hde->ble", w, V, w_o.reshape(num_heads, d, E))
