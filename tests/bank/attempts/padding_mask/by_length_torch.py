"""Count the words of each sentence; the places before that length may be attended to, as (B, S)."""
# causes: other: as many places from the front as there are words are visible, no_query_axis

import torch


def padding_mask(tokens: torch.Tensor, pad_id: int = 0) -> torch.Tensor:
    lengths = (tokens != pad_id).sum(dim=1, keepdim=True)
    places = torch.arange(tokens.shape[1], device=tokens.device)
    return places < lengths
