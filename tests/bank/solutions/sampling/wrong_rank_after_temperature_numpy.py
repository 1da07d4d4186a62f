"""The words are ranked after the division by the temperature, which makes neighbours equal."""
import numpy as np


def next_token(logits, temperature, top_k, top_p, u):
    """logits (V,) -> the index of one word."""
    if temperature == 0:
        return int(np.argmax(logits))
    logits = logits / temperature
    temperature = 1
    ranked = np.argsort(-logits, kind="stable")  # best first; of equals, the lower index
    if top_k > 0:
        ranked = ranked[:top_k]
    p = softmax(logits[ranked] / temperature)
    better = np.cumsum(p) - p  # what all better words have together
    stays = ((better < top_p) | (top_p >= 1)) & (p > 0)  # a rounded sum may be 1 before its end
    kept = np.sort(ranked[stays])  # in the order of the vocabulary again

    cumulative = np.cumsum(softmax(logits[kept] / temperature))
    place = np.searchsorted(cumulative, u, side="right")  # how many sums are u or less
    return int(kept[min(place, len(kept) - 1)])  # the last sum may be a little less than 1


def softmax(scores):
    weights = np.exp(scores - scores.max())
    return weights / weights.sum()
