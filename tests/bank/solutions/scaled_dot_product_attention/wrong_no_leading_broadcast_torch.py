"""All leading sizes are flattened into one, so nothing broadcasts."""
import torch


def scaled_dot_product_attention(q, k, v, scale=None):
    lead = q.shape[:-2]
    a, b, c = (t.reshape(-1, *t.shape[-2:]) for t in (q, k, v))
    w = torch.softmax(torch.bmm(a, b.mT) * (q.shape[-1] ** -0.5 if scale is None else scale), dim=-1)
    out = torch.bmm(w, c)
    return out.reshape(*lead, *out.shape[-2:]), w.reshape(*lead, *w.shape[-2:])
