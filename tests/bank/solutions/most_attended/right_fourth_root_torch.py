"""x scaled on both sides by the fourth root of D, the softmax written out, stable argsort of the negated weights."""

import torch


def most_attended(x, k):
    y = x / x.shape[1] ** 0.25
    scores = torch.einsum("id,jd->ij", y, y)
    e = torch.exp(scores - scores.amax(dim=1, keepdim=True))
    w = e / e.sum(dim=1, keepdim=True)
    order = torch.argsort(-w, dim=1, stable=True)[:, :k].int()
    return order, w.gather(1, order.long())
