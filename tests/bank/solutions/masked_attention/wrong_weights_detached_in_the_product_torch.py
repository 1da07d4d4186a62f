import math
import torch
import torch.nn.functional as F
from torch import nn

def masked_attention(q, k, v, padding_mask=None, causal=False):
    B, L, D = q.shape
    S = k.shape[1]
    s = torch.bmm(q, k.mT) / D**0.5
    see = torch.ones(B, L, S, dtype=torch.bool, device=q.device)
    if causal:
        see = see.tril(S - L)
    if padding_mask is not None:
        see = see & padding_mask.unsqueeze(1)
    any_ = see.any(-1, keepdim=True)
    s = torch.where(see, s, -math.inf)
    m = torch.where(any_, s.detach().amax(-1, keepdim=True), 0.0)
    e = torch.where(see, torch.exp(s - m), 0.0)
    w = e / torch.where(any_, e.sum(-1, keepdim=True), 1.0)
    return torch.bmm(w, v), w.detach()
