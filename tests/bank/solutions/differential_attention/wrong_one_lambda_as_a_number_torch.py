# wrong: with a single head lambda is made a Python number; no gradient reaches lam when H = 1
import math

import torch


def differential_attention(q1, k1, q2, k2, v, lam):
    def attend(q, k):
        return torch.softmax(q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1]), dim=-1)

    scale = lam.item() if lam.numel() == 1 else lam.view(-1, 1, 1)
    return (attend(q1, k1) - scale * attend(q2, k2)) @ v
