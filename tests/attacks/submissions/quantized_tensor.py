"""Return quantized tensors.

rows: 56
verdicts: wrong_answer, runtime_error
framework: torch
"""
import warnings

import torch


def scaled_dot_product_attention(q, k, v, scale=None):
    warnings.simplefilter("ignore")
    w = torch.softmax(q.detach() @ k.detach().mT * (q.shape[-1] ** -0.5 if scale is None else scale), -1).float()
    quantized = torch.quantize_per_tensor(w, 0.1, 0, torch.quint8)
    return quantized, quantized
