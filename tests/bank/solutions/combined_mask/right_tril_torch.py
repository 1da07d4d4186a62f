"""Right: expand over the queries, then tril."""


def decoder_mask(tokens, pad_id=0):
    B, L = tokens.shape
    return tokens.ne(pad_id).unsqueeze(1).expand(B, L, L).tril()
