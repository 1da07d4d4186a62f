"""One matrix E x C for the questions of each head, and one C x E for its answers."""
import torch


def latent_attention(x, w_dkv, w_uk, w_uv, w_q, w_o, num_heads, past=None):
    H = num_heads
    if w_uk.shape[1] % H or w_uv.shape[1] % H:
        raise ValueError("not shared out evenly")
    ask = torch.stack([a @ b.T for a, b in zip(w_q.chunk(H, 1), w_uk.chunk(H, 1))])
    tell = torch.stack([a @ b for a, b in zip(w_uv.chunk(H, 1), w_o.chunk(H, 0))])
    c = x @ w_dkv
    if past is not None:
        c = torch.cat((past, c), 1)
    n, S = x.shape[1], c.shape[1]
    s = torch.einsum("bne,hec,bsc->hbns", x, ask, c) * (w_uk.shape[1] / H) ** -0.5
    s = s + torch.zeros(n, S, dtype=s.dtype).masked_fill(torch.ones(n, S).triu(S - n + 1) > 0, -torch.inf)
    w = torch.exp(s - s.logsumexp(-1, keepdim=True))
    return (w @ c @ tell[:, None]).sum(0)
