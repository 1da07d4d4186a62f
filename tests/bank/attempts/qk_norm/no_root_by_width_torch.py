"""Forgets the root, twice."""
# causes: no_root, divided_by_width

import torch


def qk_norm_attention(q, k, v, gain_q, gain_k, eps):
    qn = q / (q.square().mean(-1, keepdim=True) + eps) * gain_q
    kn = k / (k.square().mean(-1, keepdim=True) + eps) * gain_k
    return (qn @ kn.mT / q.shape[-1]).softmax(-1) @ v
