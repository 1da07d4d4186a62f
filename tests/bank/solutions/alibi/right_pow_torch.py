"""torch.pow, in double precision, cast at the end."""
import torch


def alibi_bias(num_heads, query_len, key_len):
    n = 2 ** (num_heads.bit_length() - 1)
    base = torch.tensor(2.0 ** (-8 / n), dtype=torch.float64)
    m = torch.pow(base, torch.arange(1, n + 1))
    if n < num_heads:
        extra = torch.tensor(2.0 ** (-4 / n), dtype=torch.float64)
        m = torch.cat([m, torch.pow(extra, torch.arange(1, 1 + 2 * (num_heads - n), 2))])
    d = torch.cdist(torch.arange(query_len)[:, None] + key_len - query_len * 1.0, torch.arange(key_len)[:, None] * 1.0, p=1)
    return -torch.einsum("h,ls->hls", m, d.double()).float()
