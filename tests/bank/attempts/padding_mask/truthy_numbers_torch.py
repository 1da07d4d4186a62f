"""Words are the tokens other than 0: 1 for them and 0 for padding."""
# causes: pad_id_ignored, integers

import torch


def padding_mask(tokens: torch.Tensor, pad_id: int = 0) -> torch.Tensor:
    return (tokens != 0).float().unsqueeze(1)
