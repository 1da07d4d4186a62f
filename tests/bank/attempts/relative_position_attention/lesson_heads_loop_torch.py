"""Head by head."""
# causes: none

import torch
import torch.nn.functional as F
from torch import nn


class RelativePositionAttention(nn.Module):
    def __init__(self, d_model: int, num_heads: int, max_distance: int):
        super().__init__()
        self.max_distance = max_distance
        self.rel_pos_bias = nn.Embedding(2 * max_distance + 1, num_heads)

    def forward(self, q, k, v, mask=None):
        B, H, n, D = q.shape
        pos = torch.arange(n)
        index = (pos[None] - pos[:, None]).clip(-self.max_distance, self.max_distance)
        table = self.rel_pos_bias(index + self.max_distance)
        if mask is not None:
            mask = mask.expand(B, H, n, n)
        outputs, maps = [], []
        for h in range(H):
            scores = q[:, h] @ k[:, h].mT / D**0.5 + table[:, :, h]
            if mask is not None:
                scores = torch.where(mask[:, h], scores, torch.finfo(scores.dtype).min)
            w = F.softmax(scores, dim=-1)
            if mask is not None:
                w = torch.where(mask[:, h], w, 0.0)
            outputs.append(w @ v[:, h])
            maps.append(w)
        return torch.stack(outputs, dim=1), torch.stack(maps, dim=1)
