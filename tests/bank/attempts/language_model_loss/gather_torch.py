"""log_softmax and gather on the pairs that count."""
# causes: none

import torch


def language_model_loss(logits, tokens, pad_id=0):
    real = tokens != pad_id
    pairs = real[:, :-1] & real[:, 1:]
    log_p = torch.log_softmax(logits[:, :-1][pairs], dim=-1)
    picked = log_p.gather(1, tokens[:, 1:][pairs].view(-1, 1))
    return -picked.sum() / max(int(pairs.sum()), 1)
