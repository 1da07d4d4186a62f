"""Wrong: multiplies the tokens themselves into the triangle, so every 0 is hidden as well as the padding."""
import torch


def decoder_mask(tokens, pad_id=0):
    n = tokens.shape[1]
    words = tokens.masked_fill(tokens == pad_id, 0)
    return (words[:, None, :] * torch.ones(n, n, dtype=tokens.dtype).tril()).bool()
