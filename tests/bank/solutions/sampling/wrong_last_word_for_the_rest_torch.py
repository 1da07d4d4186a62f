# wrong: sums in float32, and what is beyond the last sum falls to word V - 1, which may have been cut off: u next to 1
import torch


def next_token(logits, temperature, top_k, top_p, u):
    if temperature == 0:
        return int(logits.argmax())
    V = len(logits)
    order = torch.argsort(logits, descending=True, stable=True)
    if top_k > 0:
        order = order[:top_k]
    p = torch.softmax((logits[order].double() - logits[order[0]].double()) / temperature, 0)
    if top_p < 1:
        n = int((p.cumsum(0) - p < top_p).sum())
        order, p = order[:n], p[:n] / p[:n].sum()
    full = torch.zeros(V)
    full[order] = p.float()
    for i, total in enumerate(full.cumsum(0).tolist()):
        if full[i] > 0 and total > u:
            return i
    return V - 1
