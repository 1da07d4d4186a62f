"""The k-th value, and the nucleus ends before it is full."""
# causes: all_equals_stay, without_the_word_that_reaches

import torch


def next_token(logits, temperature, top_k, top_p, u):
    if temperature == 0:
        return logits.argmax().item()
    logits = logits.double() / temperature
    if top_k > 0:
        kth = torch.topk(logits, min(top_k, logits.numel())).values[-1]
        logits = torch.where(logits < kth, torch.tensor(-torch.inf, dtype=logits.dtype), logits)
    if top_p < 1.0:
        sorted_logits, idx = torch.sort(logits, descending=True, stable=True)
        cum = torch.softmax(sorted_logits, dim=-1).cumsum(dim=-1)
        remove = cum > top_p
        remove[0] = False
        logits = logits.clone()
        logits[idx[remove]] = -torch.inf
    alive = torch.nonzero(logits > -torch.inf).flatten()
    c = torch.softmax(logits[alive], 0).cumsum(0)
    return int(alive[min(int((c <= u).sum()), len(alive) - 1)])
