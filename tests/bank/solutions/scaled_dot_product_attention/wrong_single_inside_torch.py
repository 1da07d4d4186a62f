"""Everything is worked out in float32 and cast back."""
import torch


def scaled_dot_product_attention(q, k, v, scale=None):
    kind = q.dtype
    q, k, v = q.float(), k.float(), v.float()
    w = torch.softmax(q @ k.mT * (q.shape[-1] ** -0.5 if scale is None else scale), -1)
    return (w @ v).to(kind), w.to(kind)
