import torch


def masked_attention(
    q: torch.Tensor,
    k: torch.Tensor,
    v: torch.Tensor,
    padding_mask: torch.Tensor | None = None,
    causal: bool = False,
) -> tuple[torch.Tensor, torch.Tensor]:
    """Scaled dot-product attention that looks only at the keys it may see.

    q: (B, L, D)    k: (B, S, D)    v: (B, S, Dv)
    padding_mask: None, or booleans (B, S), True = may attend
    causal: when True, query i sees the keys j <= i + S - L
    Returns output (B, L, Dv) and weights (B, L, S).
    """
    raise NotImplementedError
