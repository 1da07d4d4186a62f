# wrong: small ids are looked up in a table; a negative pad_id that does not occur in the batch counts from the end of the table (-1: the largest token is taken for padding)
import numpy as np


def padding_mask(tokens, pad_id=0):
    largest = int(tokens.max())
    if tokens.min() >= 0 and largest < 65536:
        is_word = np.ones(largest + 1, dtype=bool)
        if pad_id <= largest:
            is_word[pad_id] = False
        return is_word[tokens][:, None, :]
    return (tokens != pad_id)[:, None, :]
