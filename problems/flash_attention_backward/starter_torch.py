import torch


def flash_attention_backward(
    q: torch.Tensor,
    k: torch.Tensor,
    v: torch.Tensor,
    output: torch.Tensor,
    logsumexp: torch.Tensor,
    grad_output: torch.Tensor,
    block_size: int,
    causal: bool = False,
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Gradients of attention that never hold more than block_size keys' worth of scores.

    q            (..., L, D)
    k            (..., S, D)
    v            (..., S, Dv)
    output       (..., L, Dv), what the forward pass returned
    logsumexp    (..., L), the logarithm of the sum of exponentials of each row of scores
    grad_output  (..., L, Dv)
    returns      dq, dk, dv, each shaped as its input
    """
    raise NotImplementedError
