"""The mask looks at the inputs; the mean of nothing is not thought of."""
# causes: padding_still_predicted, nothing_divided_by_nothing

import numpy as np


def language_model_loss(logits, tokens, pad_id=0):
    inputs, targets = tokens[:, :-1], tokens[:, 1:]
    mask = inputs != pad_id
    z = logits[:, :-1][mask]
    z = z - z.max(axis=1, keepdims=True)
    log_p = z - np.log(np.exp(z).sum(axis=1, keepdims=True))
    return -np.mean(log_p[np.arange(len(z)), targets[mask]])
