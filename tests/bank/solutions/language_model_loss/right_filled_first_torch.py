"""What does not count is filled with zeros before the softmax, and dropped by a mask after it."""
import torch


def language_model_loss(logits, tokens, pad_id=0):
    keep = (tokens[:, :-1] != pad_id) & (tokens[:, 1:] != pad_id)
    said = logits[:, :-1].double().masked_fill(~keep[..., None], 0)
    target = tokens[:, 1:].masked_fill(~keep, 0)
    log_p = said.log_softmax(-1).gather(-1, target[..., None])[..., 0]
    return -((log_p * keep).sum() / keep.sum().clamp(min=1)).to(logits.dtype)
