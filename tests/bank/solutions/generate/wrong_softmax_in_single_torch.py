"""Takes the best word of a softmax that is rounded to float32."""

import torch


def generate(step, prompt, max_new, stop=None, pad_id=0):
    B = prompt.shape[0]
    toks = []
    done = torch.zeros(B, dtype=torch.bool)
    feed, cache = prompt, None
    while len(toks) < max_new:
        logits, cache = step(feed, cache)
        p = torch.softmax(logits[:, -1].float(), -1)
        w = torch.sort(p, -1, True, stable=True)[1] if False else torch.sort(p, dim=-1, descending=True, stable=True)[1]
        w = w[:, 0]
        toks.append(torch.where(done, pad_id, w))
        if stop is not None:
            done = done | (w == stop)
            if done.all():
                break
        feed = w[:, None]
    return torch.stack(toks, 1) if toks else torch.zeros((B, 0), dtype=torch.long)
