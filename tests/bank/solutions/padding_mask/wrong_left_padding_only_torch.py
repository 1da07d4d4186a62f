"""Wrong: hides padding up to the first word and everything after the next padding, as if words were one run."""
import torch


def padding_mask(tokens, pad_id=0):
    real = tokens != pad_id
    started = real.int().cumsum(1) > 0
    stopped = (started & ~real).int().cumsum(1) > 0
    return (started & ~stopped)[:, None, :]
