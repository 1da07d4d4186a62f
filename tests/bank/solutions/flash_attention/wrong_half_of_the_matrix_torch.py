import torch


def flash_attention(q, k, v, block_size, causal=False):
    # half of the queries at a time, all keys at once
    L, S, D = q.shape[-2], k.shape[-2], q.shape[-1]
    out = []
    for i in range(0, L, max(1, (L + 1) // 2)):
        qi = q[..., i : i + max(1, (L + 1) // 2), :]
        s = qi @ k.mT / D**0.5
        if causal:
            rows = torch.arange(i, i + qi.shape[-2])[:, None]
            s = s.masked_fill(torch.arange(S) > rows + S - L, -float("inf"))
        out.append(torch.softmax(s, -1).nan_to_num(0.0) @ v)
    return torch.cat(out, dim=-2)
