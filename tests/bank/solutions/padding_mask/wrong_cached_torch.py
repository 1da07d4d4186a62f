"""Wrong: remembers the mask of each shape it has seen, whatever the tokens are."""

SEEN = {}


def padding_mask(tokens, pad_id=0):
    key = tuple(tokens.shape), pad_id
    if key not in SEEN:
        SEEN[key] = (tokens != pad_id).unsqueeze(1)
    return SEEN[key]
