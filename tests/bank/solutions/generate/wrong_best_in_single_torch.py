"""Rounds the logits to float32 before it takes the best word."""

import torch


def generate(step, prompt, max_new, stop=None, pad_id=0):
    B = prompt.shape[0]
    toks = []
    done = torch.zeros(B, dtype=torch.bool)
    logits, cache = step(prompt, None) if max_new else (None, None)
    while len(toks) < max_new:
        w = logits[:, -1].float().argmax(-1)
        w = torch.where(done, pad_id, w)
        toks.append(w)
        if stop is not None:
            done = done | (w == stop)
            if done.all():
                break
        if len(toks) < max_new:
            logits, cache = step(w.clamp(0, logits.shape[-1] - 1)[:, None], cache)
    return torch.stack(toks, 1) if toks else torch.zeros((B, 0), dtype=torch.long)
