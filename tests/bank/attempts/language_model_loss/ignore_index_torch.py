"""ignore_index=pad_id does it all, it seems."""
# causes: padding_still_predicts, nothing_divided_by_nothing

import torch.nn.functional as F


def language_model_loss(logits, tokens, pad_id=0):
    V = logits.size(-1)
    return F.cross_entropy(
        logits[:, :-1].reshape(-1, V), tokens[:, 1:].reshape(-1), ignore_index=pad_id
    )
