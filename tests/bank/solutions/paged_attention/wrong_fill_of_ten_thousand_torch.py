import torch


def paged_attention(q, key_pages, value_pages, page_table, lengths):
    P, T, H, D = key_pages.shape
    B, M = page_table.shape
    seen = torch.arange(M * T) < lengths[:, None]
    table = torch.where(torch.arange(M) * T < lengths[:, None], page_table, 0).long()
    k = key_pages[table].reshape(B, M * T, H, D)
    v = value_pages[table].reshape(B, M * T, H, -1)
    k = torch.where(seen[..., None, None], k, 0)
    v = torch.where(seen[..., None, None], v, 0)
    s = torch.einsum("bhd,bjhd->bhj", q, k) / D**0.5
    s = s.masked_fill(~seen[:, None], -1e4)
    w = torch.softmax(s, -1)
    w = torch.where(seen[:, None], w, 0)
    return torch.einsum("bhj,bjhd->bhd", w, v)
