"""Full pages only, and the scores over d."""
# causes: last_page_dropped, divided_by_width

import torch


def paged_attention(q, key_pages, value_pages, page_table, lengths):
    batch, heads, d = q.shape
    page_size = key_pages.size(1)
    dv = value_pages.size(-1)
    result = []
    for i in range(batch):
        num_pages = int(lengths[i]) // page_size
        if num_pages == 0:
            result.append(torch.zeros(heads, dv, dtype=q.dtype))
            continue
        ids = page_table[i, :num_pages]
        k = key_pages[ids].flatten(0, 1).transpose(0, 1)  # heads, tokens, d
        v = value_pages[ids].flatten(0, 1).transpose(0, 1)
        attn = torch.softmax((q[i].unsqueeze(1) @ k.transpose(1, 2)) / d, dim=-1)
        result.append((attn @ v).squeeze(1))
    return torch.stack(result)
