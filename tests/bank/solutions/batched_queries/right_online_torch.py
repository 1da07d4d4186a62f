"""Key by key: a running maximum, sum and mean for all queries at once."""
import math
import torch


def batch_attention(queries, keys, values):
    b, d = queries.shape
    top = torch.full((b,), -torch.inf, dtype=queries.dtype)
    total = torch.zeros(b, dtype=queries.dtype)
    output = torch.zeros(b, values.shape[1], dtype=queries.dtype)
    scores = []
    for key, value in zip(keys, values):
        s = (queries * key).sum(1) / math.sqrt(d)
        scores.append(s)
        higher = torch.maximum(top, s)
        shrink, share = torch.exp(top - higher), torch.exp(s - higher)
        total = total * shrink + share
        output = output * shrink[:, None] + share[:, None] * value
        top = higher
    return output / total[:, None], torch.exp(torch.stack(scores, 1) - top[:, None]) / total[:, None]
