"""One decay, prefix sums with powers."""
# causes: powers_of_the_inverse, decay_of_the_first_head

import torch


def retention(q, k, v, decay) -> torch.Tensor:
    n = q.size(2)
    power = decay[0] ** torch.arange(n, dtype=q.dtype)
    sums = torch.cumsum((k / power[:, None]).unsqueeze(-1) * v.unsqueeze(-2), dim=2)
    return torch.einsum("bhnd,bhndv->bhnv", q * power[:, None], sums)
