"""One root mean square for the tensor I am given, with the usual 1e-6 under the root."""
# causes: over_everything, eps_of_another_model|no_eps

import torch


def mean_square(t):
    return (t * t).mean()


def rms_norm(x: torch.Tensor, gain: torch.Tensor, eps: float) -> torch.Tensor:
    rms = torch.sqrt(mean_square(x) + 1e-6)
    return gain * x / rms
