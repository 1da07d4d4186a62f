"""The mask looks at the targets."""
# causes: padding_still_predicts

import numpy as np


def language_model_loss(logits, tokens, pad_id=0):
    targets = tokens[:, 1:]
    b, i = np.nonzero(targets != pad_id)
    z = logits[b, i]
    m = z.max(axis=-1)
    lse = np.log(np.exp(z - m[:, None]).sum(axis=-1)) + m
    return np.sum(lse - z[np.arange(len(b)), targets[b, i]]) / max(len(b), 1)
