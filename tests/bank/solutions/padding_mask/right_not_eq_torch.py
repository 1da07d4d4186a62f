"""Right: the complement of equality, with a new axis by indexing."""


def padding_mask(tokens, pad_id=0):
    return ~(tokens[:, None] == pad_id)
