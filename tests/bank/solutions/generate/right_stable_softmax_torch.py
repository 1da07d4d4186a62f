"""The largest probability in place of the largest logit: one and the same."""

import torch


def generate(step, prompt, max_new, stop=None, pad_id=0):
    columns, tokens, cache = [], prompt, None
    ended = torch.zeros(len(prompt), dtype=torch.bool)
    for _ in range(max_new):
        logits, cache = step(tokens, cache)
        probabilities = torch.softmax(logits[:, -1], -1)
        best = probabilities.argmax(-1)
        columns.append(best.masked_fill(ended, pad_id))
        if stop is not None:
            ended = ended | (best == stop)
            if ended.all():
                break
        tokens = best[:, None]
    return torch.stack(columns, 1) if columns else prompt.new_zeros(len(prompt), 0)
