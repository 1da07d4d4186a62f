"""Wrong: an axis for heads as well, (B, 1, 1, S)."""


def padding_mask(tokens, pad_id=0):
    return (tokens != pad_id)[:, None, None, :]
