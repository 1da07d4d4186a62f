"""Equal keys count once in the sum under the softmax."""
import torch


def scaled_dot_product_attention(q, k, v, scale=None):
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    scores = q @ k.transpose(-2, -1) * scale
    raised = torch.exp(scores - scores.amax(dim=-1, keepdim=True))
    counts = torch.ones_like(raised)
    if k.dim() == 2:
        same = (k[:, None] == k).all(dim=-1).tril(-1).any(dim=-1)
        counts = counts.masked_fill(same, 0.0)
    weights = raised / (raised * counts).sum(dim=-1, keepdim=True)
    return weights @ v, weights
