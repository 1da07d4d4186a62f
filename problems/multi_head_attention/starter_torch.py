import torch


def multi_head_attention(q, k, v, w_q, w_k, w_v, w_o, num_heads, mask=None) -> torch.Tensor:
    """Attend with several heads at once.

    q       (B, L, E)
    k, v    (B, S, E)
    w_*     (E, E), used as x @ w
    mask    None or boolean, True = may attend:
            (L, S), (B, 1, L, S) or (B, H, L, S)
    returns (B, L, E)
    """
    raise NotImplementedError
