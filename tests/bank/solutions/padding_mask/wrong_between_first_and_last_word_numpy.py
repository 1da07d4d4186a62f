"""All that stands between the first and the last word is visible, padding too."""
import numpy as np

def padding_mask(tokens, pad_id=0):
    real = tokens != pad_id
    first = real.argmax(1)[:, None]
    last = tokens.shape[1] - real[:, ::-1].argmax(1)[:, None]
    at = np.arange(tokens.shape[1])
    return ((at >= first) & (at < last) & real.any(1)[:, None])[:, None, :]
