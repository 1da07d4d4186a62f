"""if stop, as one writes it."""
# causes: zero_stops_nothing

import torch


def generate(step, prompt, max_new, stop=None, pad_id=0):
    out, cache, x = [prompt[:, :0]], None, prompt
    done = torch.zeros(prompt.size(0), dtype=torch.bool)
    while len(out) <= max_new and not done.all():
        logits, cache = step(x, cache)
        word = logits[:, -1].argmax(-1)
        word = torch.where(done, pad_id, word)
        x = word[:, None]
        out.append(x)
        if stop:
            done = done | (word == stop)
    return torch.cat(out, dim=1)
