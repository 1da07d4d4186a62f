"""Wrong: "query_len and key_len may differ, either way": with more queries than keys the offset S - L is cut at 0.
alibi_bias(2, 5, 3)."""
import torch


def _power(heads):
    return [2.0 ** (-8.0 * (h + 1) / heads) for h in range(heads)]


def alibi_bias(num_heads: int, query_len: int, key_len: int) -> torch.Tensor:
    n = 1 << (num_heads.bit_length() - 1)
    slopes = torch.tensor(_power(n) + _power(2 * n)[::2][: num_heads - n])
    past = max(key_len - query_len, 0)
    i = torch.arange(past, past + query_len).view(-1, 1)
    j = torch.arange(key_len).view(1, -1)
    return slopes.view(-1, 1, 1) * -(i - j).abs()
