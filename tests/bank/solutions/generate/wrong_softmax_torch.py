"""Wrong: 'the word with the largest logit is taken'. The largest probability is, and softmax rounds near
logits to one number. Shown by logits [0.0, 1e-9] (float32; 1e-17 in float64): word 0 instead of 1."""
import torch


def generate(step, prompt, max_new, stop=None, pad_id=0):
    B = prompt.shape[0]
    out = torch.zeros((B, 0), dtype=torch.int64)
    going = torch.ones(B, dtype=torch.bool)
    feed, cache = prompt, None
    while out.shape[1] < max_new and going.any():
        logits, cache = step(feed, cache)
        word = torch.softmax(logits[:, -1], dim=-1).argmax(dim=-1)
        out = torch.cat([out, word.masked_fill(~going, pad_id)[:, None]], dim=1)
        if stop is not None:
            going = going & (word != stop)
        feed = word[:, None]
    return out
