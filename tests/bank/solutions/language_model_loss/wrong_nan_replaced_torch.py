"""nan_to_num after the loss: the value is right where padding is NaN, not where nothing is left."""
import torch


def language_model_loss(logits, tokens, pad_id=0):
    keep = (tokens[:, :-1] != pad_id) & (tokens[:, 1:] != pad_id)
    target = torch.where(keep, tokens[:, 1:], 0)
    log_p = torch.log_softmax(logits[:, :-1], dim=-1).nan_to_num(0.0)
    losses = -log_p.gather(-1, target[..., None])[..., 0]
    return (losses * keep).sum() / (keep.sum() - 1)
