"""The stop token is looked for in the whole text, whose length is compared with max_new."""
# causes: stop_in_the_prompt, prompt_counts_as_new

import torch


def generate(step, prompt, max_new, stop=None, pad_id=0):
    text, n = prompt, prompt.shape[1]
    x, cache = prompt, None
    while text.shape[1] < max_new:
        done = torch.zeros(len(text), dtype=torch.bool)
        if stop is not None:
            done = (text == stop).any(dim=1)
        if done.all():
            break
        logits, cache = step(x, cache)
        x = logits[:, -1].argmax(-1).masked_fill(done, pad_id)[:, None]
        text = torch.cat([text, x], dim=1)
    return text[:, n:]
