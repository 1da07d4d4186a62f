"""Which positions of a padded batch are real tokens, ready to be broadcast over the queries (B, L,
S).
"""


def padding_mask(tokens, pad_id=0):
    real = tokens != pad_id  # (B, S), True = may attend
    return real[:, None, :]  # (B, 1, S): one row that every query shares
