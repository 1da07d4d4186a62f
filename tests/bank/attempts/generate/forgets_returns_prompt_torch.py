"""The new token alone, without the cache; the text is returned whole."""
# causes: cache_not_passed, prompt_returned_too

import torch


def generate(step, prompt, max_new, stop=None, pad_id=0):
    text, x = prompt, prompt
    done = torch.zeros(prompt.size(0), dtype=torch.bool)
    for _ in range(max_new):
        logits, cache = step(x)
        x = logits[:, -1].argmax(-1).masked_fill(done, pad_id)[:, None]
        text = torch.cat([text, x], dim=1)
        if stop is not None:
            done = done | (x[:, 0] == stop)
        if done.all():
            break
    return text
