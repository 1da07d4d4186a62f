"""Token 0 ends a text where no stop token is given."""

import torch


def generate(step, prompt, max_new, stop=0, pad_id=0):
    """prompt (B, n) -> the new tokens (B, k)"""
    tokens = torch.zeros((len(prompt), 0), dtype=torch.int64)
    ended = torch.zeros(len(prompt), dtype=torch.bool)
    unread, cache = prompt, None
    while tokens.shape[1] < max_new and not ended.all():
        logits, cache = step(unread, cache)
        best = logits[:, -1].argmax(dim=-1)  # (B,)
        best = torch.where(ended, pad_id, best)
        if stop is not None:
            ended = ended | (best == stop)
        unread = best[:, None]  # (B, 1)
        tokens = torch.cat([tokens, unread], dim=1)
    return tokens
