"""Right: scaling and mask in one torch.addmm, projections by F.linear, softmax as the exponential of log_softmax."""
import math

import torch
from torch.nn import functional as F


def self_attention_with_mask(x, w_q, w_k, w_v, mask=None):
    queries, keys, values = (F.linear(x, w.transpose(0, 1)) for w in (w_q, w_k, w_v))
    alpha = 1.0 / math.sqrt(queries.size(-1))
    bias = x.new_zeros(()) if mask is None else mask
    logits = torch.addmm(bias, queries, keys.t(), beta=1, alpha=alpha)
    weights = F.log_softmax(logits, dim=1).exp()
    return torch.mm(weights, values), weights
