"""float64 inside, cast back; an online softmax over blocks of keys."""
import torch


def batch_attention(queries, keys, values):
    q, dtype = queries.double() / queries.shape[1] ** 0.5, queries.dtype
    top = q.new_full((len(q), 1), -torch.inf)
    total, out, scores = torch.zeros_like(top), 0, []
    for k, v in zip(keys.double().split(8), values.double().split(8)):
        s = q @ k.T
        scores.append(s)
        new = torch.maximum(top, s.amax(1, keepdim=True))
        e, shrink = torch.exp(s - new), torch.exp(top - new)
        total, out, top = total * shrink + e.sum(1, keepdim=True), out * shrink + e @ v, new
    return (out / total).to(dtype), (torch.exp(torch.cat(scores, 1) - top) / total).to(dtype)
