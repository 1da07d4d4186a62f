"""The distance to the padding id is positive, unless it overflows."""

def padding_mask(tokens, pad_id=0):
    return (abs(tokens - pad_id) > 0)[:, None]
