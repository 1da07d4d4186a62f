import torch


def sliding_window_attention(q, k, v, window):
    n, d = q.shape[-2:]
    w = min(window, n - 1)
    columns = []
    for o in range(-w, w + 1):
        a, b = max(0, -o), n - max(0, o)
        s = (q[..., a:b, :] * k[..., a + o : b + o, :]).sum(-1) / d**0.5
        columns.append(torch.nn.functional.pad(s, (a, n - b), value=-torch.inf))
    p = torch.stack(columns, -1).softmax(-1)
    out = torch.zeros_like(v)
    for i, o in enumerate(range(-w, w + 1)):
        a, b = max(0, -o), n - max(0, o)
        part = p[..., a:b, i, None] * v[..., a + o : b + o, :]
        out = out + torch.nn.functional.pad(part, (0, 0, a, n - b))
    return out
