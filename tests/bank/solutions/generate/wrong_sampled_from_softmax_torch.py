"""Draws from the softmax instead of taking the best word."""
import torch


def generate(step, prompt, max_new, stop=None, pad_id=0):
    out, cache, unread = torch.zeros(len(prompt), 0, dtype=torch.long), None, prompt
    ended = torch.zeros(len(prompt), dtype=torch.bool)
    while out.shape[1] < max_new and not ended.all():
        logits, cache = step(unread, cache)
        best = torch.multinomial(torch.softmax(logits[:, -1], -1), 1)[:, 0]
        best = torch.where(ended, pad_id, best)
        ended = ended if stop is None else ended | (best == stop)
        unread = best[:, None]
        out = torch.cat([out, unread], dim=1)
    return out
