"""Right: plain loops over texts and zip of neighbours, each pair in float64 with math.log1p over all the
other words, and math.fsum for an exact sum; the result goes back to the dtype of the logits."""
import math

import numpy as np


def _pair_loss(row, word):
    shifted = row.astype(np.float64) - float(row[word])
    others = np.delete(shifted, word)
    if others.size == 0:
        return 0.0
    top = max(0.0, float(others.max()))
    if top == 0.0:
        return math.log1p(float(np.exp(others).sum()))
    return top + math.log(float(np.exp(others - top).sum()) + math.exp(-top))


def language_model_loss(logits, tokens, pad_id=0):
    losses = []
    for scores, text in zip(logits, tokens.tolist()):
        for place, (word, following) in enumerate(zip(text, text[1:])):
            if pad_id not in (word, following):
                losses.append(_pair_loss(scores[place], following))
    mean = math.fsum(losses) / len(losses) if losses else 0.0
    return logits.dtype.type(mean)
