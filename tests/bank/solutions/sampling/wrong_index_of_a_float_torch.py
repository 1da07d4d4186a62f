# The index is returned as a float.
import torch


def next_token(logits, temperature, top_k, top_p, u):
    order = logits.double().argsort(descending=True, stable=True)[: top_k or len(logits)]
    if temperature == 0:
        return float(order[0])
    p = torch.softmax(logits.double()[order] / temperature, 0)
    stays = order[(p.cumsum(0) - p < top_p) & (p > 0)].sort().values
    ends = torch.softmax(logits.double()[stays] / temperature, 0).cumsum(0)
    return float(stays[min(int((ends <= u).sum()), len(stays) - 1)])
