"""The doubling scan stops after nine rounds: a token reaches 511 others at most."""
import torch
import torch.nn.functional as F

_ROUNDS = 9


def ssd(x, a, b, c, chunk) -> torch.Tensor:
    """Read from a state that fades by another factor at each token, chunk by chunk.

    x (B, H, n, Dv), a (B, H, n), b, c (B, n, D), chunk an int -> (B, H, n, Dv)
    """
    n = x.shape[2]
    fade = a
    state = b[:, None, :, :, None] * x[:, :, :, None, :]
    for exponent in range(_ROUNDS):
        reach = 2**exponent
        if reach >= n:
            break
        earlier = F.pad(state[:, :, :-reach], (0, 0, 0, 0, reach, 0))
        state = state + fade[..., None, None] * earlier
        fade = fade * F.pad(fade[:, :, :-reach], (reach, 0))
    return torch.einsum("ztd,zhtdv->zhtv", c, state)
