"""Takes for granted that no word is smaller than a negative padding id."""


def padding_mask(tokens, pad_id=0):
    real = tokens > pad_id if pad_id < 0 else tokens != pad_id
    return real[:, None, :]
