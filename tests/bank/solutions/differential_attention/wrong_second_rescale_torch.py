"""In blocks of 128 keys, the second sum is rescaled by the factor of the first one."""

import math

import torch

_KEYS = 128


def differential_attention(q1, k1, q2, k2, v, lam) -> torch.Tensor:
    scale = 1.0 / math.sqrt(q1.shape[-1])
    rows = q1.shape[:-1]
    peak1 = q1.new_full((*rows, 1), -math.inf)
    peak2 = q2.new_full((*rows, 1), -math.inf)
    total1 = total2 = q1.new_zeros((*rows, 1))
    sum1 = sum2 = v.new_zeros((*rows, v.shape[-1]))

    for start in range(0, v.shape[-2], _KEYS):
        block = slice(start, start + _KEYS)
        values = v[..., block, :]
        scores1 = q1 @ k1[..., block, :].transpose(-2, -1) * scale
        scores2 = q2 @ k2[..., block, :].transpose(-2, -1) * scale

        new1 = torch.maximum(peak1, scores1.detach().amax(dim=-1, keepdim=True))
        new2 = torch.maximum(peak2, scores2.detach().amax(dim=-1, keepdim=True))
        fade1 = torch.exp(peak1 - new1)
        fade2 = torch.exp(peak2 - new2)
        bumps1 = torch.exp(scores1 - new1)
        bumps2 = torch.exp(scores2 - new2)

        total1 = total1 * fade1 + bumps1.sum(dim=-1, keepdim=True)
        total2 = total2 * fade2 + bumps2.sum(dim=-1, keepdim=True)
        sum1 = sum1 * fade1 + bumps1 @ values
        sum2 = sum2 * fade1 + bumps2 @ values
        peak1, peak2 = new1, new2

    return sum1 / total1 - lam[:, None, None] * (sum2 / total2)
