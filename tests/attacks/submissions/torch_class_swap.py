"""Give a wrong tensor another class after it was made, and give the class the name of the honest one.

rows: 46
verdicts: wrong_answer
framework: torch
"""
import torch


class Tensor(torch.Tensor):
    def numpy(self, *a, **k):
        raise SystemExit(0)

    detach = resolve_conj = resolve_neg = lambda self: self


Tensor.__module__, Tensor.__qualname__ = "torch", "Tensor"


def scaled_dot_product_attention(q, k, v, scale=None):
    out = q.new_zeros(*q.shape[:-1], v.shape[-1])
    out.__class__ = Tensor
    return out, out
