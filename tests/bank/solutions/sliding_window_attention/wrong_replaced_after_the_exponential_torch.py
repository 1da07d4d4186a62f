"""The exponential of what is beyond the ends overflows before it is replaced: a gradient of NaN."""
import torch
import torch.nn.functional as F


def sliding_window_attention(
    q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, window: int
) -> torch.Tensor:
    n, width = q.shape[-2:]
    w = min(window, n - 1)
    k_pad = F.pad(k, (0, 0, w, w))
    v_pad = F.pad(v, (0, 0, w, w))

    scores = torch.stack(
        [(q * k_pad[..., o : o + n, :]).sum(dim=-1) for o in range(2 * w + 1)], dim=-1
    ) * width**-0.5
    j = torch.arange(n, device=q.device).unsqueeze(1) + torch.arange(-w, w + 1, device=q.device)
    real = (j >= 0) & (j < n)

    peak = scores.detach().masked_fill(~real, float("-inf")).amax(dim=-1, keepdim=True)
    raised = torch.where(real, torch.exp(scores - peak), torch.zeros_like(scores))
    p = raised / raised.sum(dim=-1, keepdim=True)

    out = torch.zeros_like(v)
    for o in range(2 * w + 1):
        out = out + p[..., o].unsqueeze(-1) * v_pad[..., o : o + n, :]
    return out
