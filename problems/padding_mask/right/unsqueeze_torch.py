# Methods with names in place of symbols: compare, then put in the axis of the queries.
def padding_mask(tokens, pad_id=0):
    return tokens.ne(pad_id).unsqueeze(1)
