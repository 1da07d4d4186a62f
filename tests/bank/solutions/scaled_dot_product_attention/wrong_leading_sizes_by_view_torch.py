"""The leading sizes are flattened with view, which refuses what a transposition made."""
import torch


def scaled_dot_product_attention(q, k, v, scale=None):
    if scale is None:
        scale = q.shape[-1] ** -0.5
    if q.dim() > 2 and q.shape[:-2] == k.shape[:-2] == v.shape[:-2]:
        lead = q.shape[:-2]
        q, k, v = (x.view(-1, *x.shape[-2:]) for x in (q, k, v))
        weights = torch.softmax(torch.bmm(q, k.mT) * scale, dim=-1)
        output = torch.bmm(weights, v)
        return output.view(*lead, *output.shape[-2:]), weights.view(*lead, *weights.shape[-2:])
    weights = torch.softmax(q @ k.mT * scale, dim=-1)
    return weights @ v, weights
