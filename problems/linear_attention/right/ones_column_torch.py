# Each value gets a last entry of 1: its weighted sum is the denominator, in the same product.
from torch.nn.functional import elu, pad


def linear_attention(q, k, v):
    memory = (elu(k) + 1).mT @ pad(v, (0, 1), value=1.0)  # (B, D, Dv + 1)
    sums = (elu(q) + 1) @ memory
    return sums[..., :-1] / sums[..., -1:]
