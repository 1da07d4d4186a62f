"""log_softmax, exponentials last; matmul through broadcasting of an expanded batch."""
import torch


def scaled_dot_product_attention(q, k, v, scale=None):
    scale = q.size(-1) ** -0.5 if scale is None else scale
    logs = torch.log_softmax(torch.einsum("...ld,...sd->...ls", q, k).mul(scale), dim=-1)
    weights = logs.exp()
    output = (weights.unsqueeze(-1) * v.unsqueeze(-3)).sum(-2)
    return output, weights
