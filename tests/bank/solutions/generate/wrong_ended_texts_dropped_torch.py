"""Texts that have ended leave the batch, but the cache keeps all of them."""
import torch


def generate(step, prompt, max_new, stop=None, pad_id=0):
    B = len(prompt)
    table = torch.full((B, max_new), pad_id)
    rows, cache, unread, turn = torch.arange(B), None, prompt, 0
    while turn < max_new and len(rows):
        logits, cache = step(unread, None if cache is None else cache[: len(rows)])
        best = logits[:, -1].argmax(-1)
        table[rows, turn] = best
        going = torch.ones(len(rows), dtype=torch.bool) if stop is None else best != stop
        rows, unread, turn = rows[going], best[going][:, None], turn + 1
    return table[:, :turn]
