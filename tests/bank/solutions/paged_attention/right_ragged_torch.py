"""Right: ragged: the tokens of all texts stand in one list without any padding, taken by index_select and summed by index_add."""
import torch


def paged_attention(q, key_pages, value_pages, page_table, lengths):
    B, H, D = q.shape
    P, T = key_pages.shape[:2]
    counts = [int(c) for c in lengths]
    texts = torch.repeat_interleave(torch.arange(B), torch.tensor(counts))
    places = torch.cat([torch.arange(c) for c in counts])
    slots = page_table.long()[texts, places // T] * T + places % T
    keys = key_pages.reshape(P * T, H, D).index_select(0, slots)
    values = value_pages.reshape(P * T, H, -1).index_select(0, slots)
    scores = (q.index_select(0, texts) * keys).sum(dim=-1) / D**0.5  # (N, H)
    parts = [part.softmax(dim=0) if len(part) else part for part in scores.split(counts)]
    weights = torch.cat(parts)
    output = q.new_zeros(B, H, values.shape[-1])
    return output.index_add(0, texts, weights.unsqueeze(-1) * values)
