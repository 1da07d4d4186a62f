"""Wrong: bytes from 128 on become negative, and none of them is the padding id."""
import torch


def decoder_mask(tokens, pad_id=0):
    L = tokens.shape[1]
    if tokens.dtype == torch.uint8:
        tokens = tokens.to(torch.int8)
    return torch.ones(L, L, dtype=torch.bool).tril() & (tokens.long() != pad_id)[:, None, :]
