# What does not count is chosen away after the softmax: NaN only where a place has an infinite or NaN logit.
import torch


def language_model_loss(logits, tokens, pad_id=0):
    source, target = tokens[:, :-1], tokens[:, 1:]
    keep = (source != pad_id) & (target != pad_id)
    logp = torch.log_softmax(logits[:, :-1], dim=-1)
    index = torch.where(keep, target, torch.zeros_like(target))
    nll = -logp.gather(-1, index.unsqueeze(-1)).squeeze(-1)
    nll = torch.where(keep, nll, torch.zeros_like(nll))
    return nll.sum() / keep.sum().clamp(min=1)
