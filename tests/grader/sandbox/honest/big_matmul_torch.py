"""Products large enough for every code path, in several dtypes."""

import torch


def work():
    a = torch.ones(600, 600)
    return (
        bool((a @ a == 600).all())
        and (a.bfloat16() @ a.bfloat16()).dtype == torch.bfloat16
        and (a.double() @ a.double()).sum().item() == 600.0**3
    )
