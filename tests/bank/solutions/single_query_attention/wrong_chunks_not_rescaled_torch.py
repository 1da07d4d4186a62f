# wrong: keys go by in chunks of 1024, and the output so far is not rescaled when a later chunk has a larger score; with n > 1024 the output is wrong and the weights are right
import torch


def attention(query, keys, values):
    root = query.shape[0] ** 0.5
    top, total, output, scores = None, 0, 0, []
    for k, v in zip(keys.split(1024), values.split(1024)):
        s = torch.einsum("nd,d->n", k, query) / root
        new = s.max() if top is None else torch.maximum(top, s.max())
        e = torch.exp(s - new)
        if top is not None:
            total = total * torch.exp(top - new)
        total, output, top = total + e.sum(), output + e @ v, new
        scores.append(s)
    return output / total, torch.exp(torch.cat(scores) - top) / total
