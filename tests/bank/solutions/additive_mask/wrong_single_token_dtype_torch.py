"""With a single token the weights are torch.ones(1, 1), float32 also for float64 inputs."""
import torch


def self_attention_with_mask(
    x: torch.Tensor,
    w_q: torch.Tensor,
    w_k: torch.Tensor,
    w_v: torch.Tensor,
    mask: torch.Tensor | None = None,
) -> tuple[torch.Tensor, torch.Tensor]:
    v = x @ w_v
    if x.shape[0] == 1:
        # a single word can only look at itself, whatever is added
        return v, torch.ones(1, 1)
    q, k = x @ w_q, x @ w_k
    scores = q @ k.T * q.shape[1] ** -0.5
    if mask is not None:
        scores = scores + mask
    weights = torch.softmax(scores, dim=1)
    return weights @ v, weights
