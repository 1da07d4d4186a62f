"""No early end."""
# causes: goes_on_to_max_new

import torch


def generate(step, prompt, max_new, stop=None, pad_id=0):
    out, x, cache = [prompt[:, :0]], prompt, None
    done = torch.zeros(len(prompt), dtype=torch.bool)
    for _ in range(max_new):
        logits, cache = step(x, cache)
        word = logits[:, -1].argmax(-1).masked_fill(done, pad_id)
        x = word[:, None]
        out.append(x)
        if stop is not None:
            done |= word == stop
    return torch.cat(out, dim=1)
