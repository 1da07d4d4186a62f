# heads are folded into the batch, and a mask of each head by a view, which a mask with gaps does not allow
import torch
from torch import nn


class RelativePositionAttention(nn.Module):
    def __init__(self, d_model, num_heads, max_distance):
        super().__init__()
        self.max_distance = max_distance
        self.rel_pos_bias = nn.Embedding(2 * max_distance + 1, num_heads)

    def forward(self, q, k, v, mask=None):
        B, H, n, D = q.shape
        place = torch.arange(n)
        index = (place - place[:, None]).clamp(-self.max_distance, self.max_distance)
        bias = self.rel_pos_bias.weight[index + self.max_distance].permute(2, 0, 1)
        q, k, v = (x.reshape(B * H, n, D) for x in (q, k, v))
        scores = (torch.bmm(q, k.mT) / D**0.5).view(B, H, n, n) + bias
        scores = scores.view(B * H, n, n)
        if mask is None:
            weights = scores.softmax(-1)
        else:
            if mask.shape == (B, H, n, n):
                mask = mask.view(B * H, n, n)
            else:
                mask = mask.expand(B, H, n, n).reshape(B * H, n, n)
            weights = scores.masked_fill(~mask, float("-inf")).softmax(-1).masked_fill(~mask, 0)
        return torch.bmm(weights, v).view(B, H, n, D), weights.view(B, H, n, n)
