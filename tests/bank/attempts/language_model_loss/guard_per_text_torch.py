"""A guarded logarithm, and a mean for each text."""
# causes: guarded_logarithm, mean_of_means

import torch


def language_model_loss(logits, tokens, pad_id=0):
    losses = []
    for z, x in zip(logits, tokens):
        keep = (x[:-1] != pad_id) & (x[1:] != pad_id)
        if keep.any():
            p = torch.softmax(z[:-1][keep], dim=-1)
            picked = p[torch.arange(len(p)), x[1:][keep]]
            losses.append(-torch.log(picked + 1e-12).mean())
    return torch.stack(losses).mean() if losses else logits[:, :0].sum()
