"""An outer product of ones with what is no padding, lower triangle kept."""
import torch


def decoder_mask(tokens, pad_id=0):
    real = tokens.ne(pad_id)
    b, n = tokens.shape
    return torch.einsum("bj,ij->bij", real.long(), torch.ones(n, n, dtype=torch.long)).tril().bool()
