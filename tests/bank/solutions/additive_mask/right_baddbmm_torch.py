"""addmm with the mask as its first argument: bias plus alpha times the product."""
import torch


def self_attention_with_mask(x, w_q, w_k, w_v, mask=None):
    n, d = x.shape[0], w_q.shape[1]
    bias = x.new_zeros(n, n) if mask is None else mask
    logits = torch.addmm(bias, x @ w_q, (x @ w_k).T, alpha=d**-0.5)
    weights = logits.sub(logits.amax(1, keepdim=True)).exp()
    weights = weights.div(weights.sum(1, keepdim=True))
    return weights.mm(x.mm(w_v)), weights
