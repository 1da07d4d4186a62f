"""Two loops and a list of losses."""
# causes: none

import numpy as np


def language_model_loss(logits, tokens, pad_id=0):
    losses = []
    B, n = tokens.shape
    for b in range(B):
        for i in range(n - 1):
            if tokens[b, i] == pad_id or tokens[b, i + 1] == pad_id:
                continue
            z = logits[b, i] - logits[b, i].max()
            losses.append(np.log(np.exp(z).sum()) - z[tokens[b, i + 1]])
    if not losses:
        return logits.dtype.type(0)
    return np.mean(np.array(losses))
