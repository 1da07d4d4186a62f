"""Wrong: a position with nothing to see is shown itself."""
import torch


def decoder_mask(tokens, pad_id=0):
    n = tokens.shape[1]
    mask = (tokens != pad_id)[:, None, :] & torch.ones(n, n, dtype=torch.bool).tril()
    return mask | (~mask.any(-1, keepdim=True) & torch.eye(n, dtype=torch.bool))
