"""A for loop with a break."""
# causes: none

import torch


def generate(step, prompt, max_new, stop=None, pad_id=0):
    out, cache, x = [], None, prompt
    done = torch.zeros(prompt.size(0), dtype=torch.bool)
    for _ in range(max_new):
        logits, cache = step(x, cache)
        x = torch.argmax(logits[:, -1], dim=-1, keepdim=True)
        x[done] = pad_id
        out.append(x)
        if stop is not None:
            done = done | (x[:, 0] == stop)
        if done.all():
            break
    return torch.cat(out, dim=1) if out else torch.zeros((prompt.size(0), 0), dtype=torch.long)
