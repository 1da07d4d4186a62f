"""Put a class of one's own where the harness looks for torch.Tensor.

rows: 46
verdicts: wrong_answer
framework: torch
"""
import numpy as np
import torch

honest = torch.Tensor


class Sly:
    dtype, layout, is_quantized, is_nested = torch.float32, torch.strided, False, False
    device = torch.device("cpu")
    requires_grad = False

    def detach(self):
        return self

    resolve_conj = resolve_neg = float = detach

    def numpy(self):
        return np.zeros((5, 3), np.float32)


def scaled_dot_product_attention(q, k, v, scale=None):
    torch.Tensor = Sly
    return Sly(), Sly()
