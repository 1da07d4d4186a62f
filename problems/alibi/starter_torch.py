import torch


def alibi_bias(num_heads: int, query_len: int, key_len: int) -> torch.Tensor:
    """Say how much each head dislikes each distance.

    Returns float32 (num_heads, query_len, key_len), to be added to scaled scores.
    """
    raise NotImplementedError
