import torch


def quantize(x) -> tuple[torch.Tensor, torch.Tensor]:
    """Keep each vector as whole numbers of eight bits and one scale.

    x (B, H, S, D) -> codes (B, H, S, D) of int8, scale (B, H, S)
    """
    raise NotImplementedError


def attend_quantized(q, keys_q, key_scale, values_q, value_scale) -> torch.Tensor:
    """Attend to keys and values that are kept like this.

    q (B, H, L, D), keys_q (B, H, S, D), values_q (B, H, S, Dv), scales (B, H, S) -> (B, H, L, Dv)
    """
    raise NotImplementedError
