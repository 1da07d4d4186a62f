"""Where the scores lie more than 1000 apart, the best key takes everything."""
import torch


def attention(query: torch.Tensor, keys: torch.Tensor, values: torch.Tensor):
    scores = keys @ query / query.shape[0] ** 0.5
    if float(scores.max() - scores.min()) > 1000.0:
        # far beyond the range of exp: the softmax is a hard choice
        weights = torch.zeros_like(scores)
        weights[scores.argmax()] = 1.0
    else:
        weights = torch.softmax(scores, dim=0)
    return weights @ values, weights
