"""Right: keeps everything that was picked, also behind the end of a text, works the lengths out from the
first stop by a cumulative sum, and pads with masked_fill after the loop."""
import torch


def generate(step, prompt, max_new, stop=None, pad_id=0):
    B = prompt.size(0)
    picked = torch.empty((B, 0), dtype=torch.int64)
    tokens, cache = prompt, None
    with torch.no_grad():
        for _ in range(max_new):
            logits, cache = step(tokens, cache)
            tokens = logits[:, -1:, :].argmax(dim=-1)
            picked = torch.cat((picked, tokens), dim=1)
            if stop is not None and bool((picked == stop).any(dim=1).all()):
                break
    if stop is None:
        return picked
    hits = (picked == stop).long()
    behind = (hits.cumsum(dim=1) - hits) > 0
    return picked.masked_fill(behind, pad_id)
