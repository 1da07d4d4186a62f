"""Tensor.max for the best word; masked_fill for padding."""
import torch


@torch.no_grad()
def generate(step, prompt, max_new, stop=None, pad_id=0):
    done = torch.zeros(prompt.shape[0], dtype=torch.bool)
    out, cache, x = [], None, prompt
    while len(out) < max_new and not bool(done.all()):
        logits, cache = step(x, cache)
        word = logits[:, -1].max(dim=-1).indices.masked_fill(done, pad_id)
        out.append(word)
        if stop is not None:
            done |= word.eq(stop)
        x = word.unsqueeze(-1)
    return torch.stack(out, dim=1) if out else prompt.new_zeros(prompt.shape[0], 0)
