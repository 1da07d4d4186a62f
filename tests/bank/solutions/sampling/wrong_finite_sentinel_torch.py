"""Words that are cut off get the score -1e6, and those of the others may be lower still."""

import torch

CUT_OFF = -1.0e6


def next_token(logits: torch.Tensor, temperature: float, top_k: int, top_p: float, u: float) -> int:
    score = logits.detach().double()
    order = torch.argsort(score, descending=True, stable=True)
    if temperature == 0:
        return int(order[0])

    scaled = score / temperature
    if 0 < top_k < order.numel():
        scaled[order[top_k:]] = CUT_OFF

    if top_p < 1:
        reached = torch.softmax(scaled, 0)[order].cumsum(0)
        drop = torch.zeros_like(order, dtype=torch.bool)
        drop[1:] = reached[:-1] >= top_p
        scaled[order[drop]] = CUT_OFF

    p = torch.softmax(scaled, 0)
    edges = p.cumsum(0)
    seat = int((edges <= u * edges[-1]).sum())
    return min(seat, int(p.nonzero()[-1]))
