"""Stops as soon as one text stops, and reads the last token, too."""
# causes: all_end_with_the_first, last_token_read

import torch


def generate(step, prompt, max_new, stop=None, pad_id=0):
    out = torch.zeros((len(prompt), 0), dtype=torch.long)
    if max_new == 0:
        return out
    logits, cache = step(prompt)
    for _ in range(max_new):
        word = logits[:, -1].argmax(-1, keepdim=True)
        out = torch.cat([out, word], dim=1)
        logits, cache = step(word, cache)
        if stop is not None and (word == stop).any():
            break
    return out
