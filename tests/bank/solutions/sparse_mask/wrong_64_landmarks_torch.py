"""Wrong: landmarks stand "as far as the text goes, wherever it ends". Only the first 64 are set: n = 300, stride = 2 lacks the landmark
at 128 and all later ones."""
import torch


def sparse_mask(n, stride):
    at = torch.arange(n)
    mask = (at[:, None] - at).abs() <= stride
    landmarks = at[::stride][:64]
    mask[landmarks] = True
    mask[:, landmarks] = True
    return mask
