"""Ended texts simply go on."""
# causes: goes_on_after_its_end

import torch


def generate(step, prompt, max_new, stop=None, pad_id=0):
    out, x, cache = [prompt[:, :0]], prompt, None
    done = torch.zeros(len(prompt), dtype=torch.bool)
    while len(out) <= max_new and not done.all():
        logits, cache = step(x, cache)
        x = logits[:, -1:].argmax(-1)
        out.append(x)
        if stop is not None:
            done |= (x == stop)[:, 0]
    return torch.cat(out, dim=1)
