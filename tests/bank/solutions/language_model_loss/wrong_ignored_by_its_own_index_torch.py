"""ignore_index is the padding id, so what padding predicts counts."""
import torch
import torch.nn.functional as F


def language_model_loss(logits, tokens, pad_id=0):
    target = tokens[:, 1:]
    if bool((target == pad_id).all()):
        return logits[:, :0].sum()
    return F.cross_entropy(
        logits[:, :-1].transpose(1, 2), target, ignore_index=pad_id
    )
