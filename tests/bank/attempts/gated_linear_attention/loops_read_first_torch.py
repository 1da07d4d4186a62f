"""The memory is read and then written, word by word."""
# causes: itself_left_out, token_by_token

import torch


def gated_linear_attention(q, k, v, gates, chunk):
    M = v.new_zeros(*q.shape[:2], q.shape[3], v.shape[3])
    out = []
    for t in range(q.shape[2]):
        M = gates[:, :, t].unsqueeze(-1) * M
        out.append((q[:, :, t].unsqueeze(-1) * M).sum(-2))
        M = M + k[:, :, t].unsqueeze(-1) * v[:, :, t].unsqueeze(-2)
    return torch.stack(out, dim=2)
