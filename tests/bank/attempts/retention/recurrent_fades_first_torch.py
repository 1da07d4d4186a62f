"""Add the token, then let everything fade, then read."""
# causes: token_by_token, new_token_fades

import torch


def retention(q, k, v, decay) -> torch.Tensor:
    B, H, n, D = q.shape
    state = torch.zeros(B, H, D, v.size(-1), dtype=v.dtype)
    rows = []
    for i in range(n):
        state = decay.view(1, H, 1, 1) * (state + k[:, :, i, :, None] * v[:, :, i, None, :])
        rows.append((q[:, :, i, None, :] @ state).squeeze(2))
    return torch.stack(rows, dim=2)
