# wrong: a mask of two axes whose first is B is taken for a padding mask (B, n); a mask (n, n) with B = n (2 or more) is read wrongly
import math

import torch
from torch import nn


class RelativePositionAttention(nn.Module):
    def __init__(self, d_model, num_heads, max_distance):
        super().__init__()
        self.max_distance = max_distance
        self.rel_pos_bias = nn.Embedding(2 * max_distance + 1, num_heads)

    def forward(self, q, k, v, mask=None):
        B, H, n, D = q.shape
        at = torch.arange(n, device=q.device)
        away = (at[None, :] - at[:, None]).clamp(-self.max_distance, self.max_distance)
        bias = self.rel_pos_bias(away + self.max_distance).permute(2, 0, 1)
        s = torch.einsum("bhid,bhjd->bhij", q, k) / math.sqrt(D) + bias
        if mask is None:
            w = s.softmax(-1)
        else:
            if mask.dim() == 2 and mask.shape[0] == B:
                mask = mask[:, None, None, :]
            s = s.masked_fill(~mask, torch.finfo(s.dtype).min)
            w = s.softmax(-1).masked_fill(~mask, 0.0)
        return w @ v, w
