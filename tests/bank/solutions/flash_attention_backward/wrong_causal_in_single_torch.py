"""Only where it is causal, the scores are computed in float32."""

import math

import torch


def flash_attention_backward(q, k, v, output, logsumexp, grad_output, block_size, causal=False):
    """logsumexp (..., L), the others (..., n, D) or (..., n, Dv) -> dq, dk, dv."""
    L, S, D = q.shape[-2], k.shape[-2], q.shape[-1]
    scale = 1 / math.sqrt(D)
    last = torch.arange(L)[:, None] + S - L  # (L, 1), the last key that each query may see
    total = torch.where(torch.isneginf(logsumexp), 0, logsumexp)  # -inf - -inf would be NaN
    total = total[..., None]  # (..., L, 1)
    mean = (output * grad_output).sum(dim=-1, keepdim=True)  # (..., L, 1), of grad_weights

    dq, dk, dv = torch.zeros_like(q), torch.zeros_like(k), torch.zeros_like(v)
    for start in range(0, S, block_size):
        block = slice(start, start + block_size)
        keys, values = k[..., block, :], v[..., block, :]  # (..., n, D), (..., n, Dv)
        scores = q @ keys.mT * scale  # (..., L, n), n <= block_size
        if causal:
            scores = (q.float() @ keys.float().mT * scale).to(q.dtype)
            positions = start + torch.arange(keys.shape[-2])
            scores = torch.where(positions <= last, scores, -math.inf)

        weights = torch.exp(scores - total)  # (..., L, n), those of the forward pass
        grad_weights = grad_output @ values.mT  # (..., L, n)
        grad_scores = weights * (grad_weights - mean)  # (..., L, n)
        dq += grad_scores @ keys * scale  # every block adds to every query
        dk[..., block, :] = grad_scores.mT @ q * scale
        dv[..., block, :] = weights.mT @ grad_output
    return dq, dk, dv
