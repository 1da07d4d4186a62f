"""All pages of the table at once; what is no token is filled with zeros."""

import torch


def paged_attention(q, key_pages, value_pages, page_table, lengths):
    B, H, D = q.shape
    P, T, _, Dv = value_pages.shape
    M = page_table.shape[1]
    seen = torch.arange(M * T) < lengths[:, None]
    table = page_table.clamp(0, P - 1)
    k = key_pages[table].reshape(B, M * T, H, D)
    v = value_pages[table].reshape(B, M * T, H, Dv)
    hidden = ~seen[:, :, None, None]
    k = k.masked_fill(hidden, 0)
    v = v.masked_fill(hidden, 0)
    s = (k * q[:, None]).sum(-1) / D**0.5
    s = s.masked_fill(~seen[:, :, None], torch.finfo(s.dtype).min)
    w = torch.nn.functional.softmax(s, dim=1) * seen[:, :, None]
    return (w.unsqueeze(-1) * v).sum(1)
