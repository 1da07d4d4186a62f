import torch


def self_attention_with_mask(
    x: torch.Tensor,
    w_q: torch.Tensor,
    w_k: torch.Tensor,
    w_v: torch.Tensor,
    mask: torch.Tensor | None = None,
) -> tuple[torch.Tensor, torch.Tensor]:
    """Self-attention whose scores are moved by a mask of numbers.

    x: (n, E)    w_q, w_k: (E, D)    w_v: (E, Dv)
    mask: None, or floats (n, n) that are added to the scaled scores
    Returns output (n, Dv) and weights (n, n).
    """
    raise NotImplementedError
