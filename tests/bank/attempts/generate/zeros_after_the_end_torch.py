"""A mask of numbers is multiplied in, so the rest is zeros."""
# causes: filled_with_zeros

import torch


def generate(step, prompt, max_new, stop=None, pad_id=0):
    alive = torch.ones(len(prompt), dtype=torch.long)
    out, cache, x = [prompt[:, :0]], None, prompt
    while len(out) <= max_new and alive.any():
        logits, cache = step(x, cache)
        word = logits[:, -1].argmax(-1) * alive
        if stop is not None:
            alive = alive * ((word != stop) | (alive == 0)).long()
        out.append(word[:, None])
        x = word[:, None]
    return torch.cat(out, dim=1)
