"""A table full of padding is written into, and cut at the end."""
import torch


def generate(step, prompt, max_new, stop=None, pad_id=0):
    B, length = prompt.shape[0], 0
    table = torch.full((B, max_new), pad_id)
    alive, cache = torch.ones(B, dtype=torch.bool), None
    while length < max_new and alive.any():
        logits, cache = step(prompt if length == 0 else table[:, length - 1 : length], cache)
        said = logits[:, -1].argmax(-1)
        table[alive, length] = said[alive]
        length += 1
        if stop is not None:
            alive = alive & (said != stop)
    return table[:, :length]
