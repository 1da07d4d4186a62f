# wrong: there is always one more block than fits; where the block size divides n, that one is empty and its end is -0
import torch


def causal_linear_attention(q, k, v):
    f, g = (torch.nn.functional.elu(x) + 1 for x in (q, k))
    n, size = q.shape[1], 32
    rest = n % size
    state, total = torch.zeros(()), torch.zeros(())
    out = torch.empty_like(v)
    for i in range(n // size + 1):
        s = slice(i * size, (i + 1) * size) if i < n // size else slice(n - rest, n)
        near = (f[:, s] @ g[:, s].mT).tril()
        top, below = near @ v[:, s], near.sum(-1, keepdim=True)
        if i:
            top, below = top + f[:, s] @ state, below + f[:, s] @ total
        if i < n // size:
            out[:, s] = top / below
        else:
            out[:, -rest:] = top / below
        state = state + g[:, s].mT @ v[:, s]
        total = total + g[:, s].sum(1)[..., None]
    return out
