"""Opens the first token of each sequence where the whole batch is padding."""


def padding_mask(tokens, pad_id=0):
    real = tokens != pad_id
    if not real.any():
        real[:, 0] = True
    return real.unsqueeze(1)
