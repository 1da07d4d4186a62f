# wrong: the summary that goes from block to block is float32; with float64 inputs all rows after the first 128 tokens have lost half of their digits
import torch


def causal_linear_attention(q, k, v):
    f, g = (torch.nn.functional.elu(x) + 1 for x in (q, k))
    B, n, D = q.shape
    u = torch.cat([v, torch.ones_like(v[..., :1])], -1)
    state = torch.zeros(B, D, u.shape[-1])
    out = []
    for s in range(0, n, 128):
        fb, gb, ub = f[:, s : s + 128], g[:, s : s + 128], u[:, s : s + 128]
        both = (fb @ gb.mT).tril() @ ub + fb @ state.to(f.dtype)
        state += gb.mT @ ub
        out.append(both[..., :-1] / both[..., -1:])
    return torch.cat(out, 1)
