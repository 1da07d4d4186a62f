"""A loop over texts and places, summed in Python's floats."""
import numpy as np


def language_model_loss(logits, tokens, pad_id=0):
    total, count = 0.0, 0
    for text, scores in zip(tokens, logits):
        for here, there, row in zip(text[:-1], text[1:], scores):
            if pad_id in (here, there):
                continue
            gaps = row - row[there]
            top = gaps.max()
            total += float(top + np.log(np.exp(gaps - top).sum()))
            count += 1
    return np.array(total / count if count else 0.0, dtype=logits.dtype)
