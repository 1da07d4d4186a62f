"""Everything is expanded to one leading shape first, so the weights get those of v too."""
import torch


def scaled_dot_product_attention(q, k, v, scale=None):
    lead = torch.broadcast_shapes(q.shape[:-2], k.shape[:-2], v.shape[:-2])
    q, k, v = (x.expand(*lead, *x.shape[-2:]) for x in (q, k, v))
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    w = torch.softmax(q @ k.mT * scale, -1)
    return w @ v, w
