# wrong: the causal half is cut out of a table of 512 positions; a sequence of more than 512 tokens raises an error
import torch

_CAUSAL = torch.ones(512, 512, dtype=torch.bool).tril()


def decoder_mask(tokens, pad_id=0):
    length = tokens.shape[1]
    return _CAUSAL[:length, :length] & (tokens != pad_id).unsqueeze(1)
