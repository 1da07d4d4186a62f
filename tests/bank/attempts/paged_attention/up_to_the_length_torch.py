"""All texts at once: index the pages with the table and keep the places up to the length."""
# causes: one_token_too_many, unused_entries_read

import torch


def paged_attention(q, key_pages, value_pages, page_table, lengths) -> torch.Tensor:
    B, H, D = q.shape
    T = key_pages.shape[1]
    M = page_table.shape[1]
    table = page_table.long()
    keys = key_pages[table].reshape(B, M * T, H, D)
    values = value_pages[table].reshape(B, M * T, H, value_pages.shape[-1])

    seen = torch.arange(M * T).unsqueeze(0) <= lengths.unsqueeze(1)
    keys = torch.where(seen[:, :, None, None], keys, torch.zeros_like(keys))
    values = torch.where(seen[:, :, None, None], values, torch.zeros_like(values))

    scores = torch.einsum("bhd,bjhd->bhj", q, keys) / D**0.5
    scores = scores.masked_fill(~seen[:, None, :], float("-inf"))
    output = torch.einsum("bhj,bjhe->bhe", torch.softmax(scores, dim=-1), values)
    return torch.where((lengths > 0)[:, None, None], output, torch.zeros_like(output))
