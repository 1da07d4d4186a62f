"""Wrong: squeezes axes of length 1, so a batch of single tokens loses one more."""


def padding_mask(tokens, pad_id=0):
    return (tokens != pad_id)[:, None, None, :].squeeze(1).squeeze(-1)
