import torch

def flash_attention_backward(q, k, v, output, logsumexp, grad_output, block_size, causal=False):
    L, D = q.shape[-2:]
    S = k.shape[-2]
    c = D ** -0.5
    empty = torch.isneginf(logsumexp).unsqueeze(-1)
    g = grad_output
    lse = logsumexp.unsqueeze(-1).masked_fill(empty, 0)
    delta = (output * g).sum(-1, keepdim=True)
    dq = torch.zeros_like(q)
    dk, dv = torch.empty_like(k), torch.empty_like(v)
    at = 0
    i = torch.arange(L).unsqueeze(1)
    while at < S:
        kb, vb = k.narrow(-2, at, min(block_size, S - at)), v.narrow(-2, at, min(block_size, S - at))
        s = q @ kb.mT * c
        gone = empty
        if causal:
            gone = empty | (torch.arange(at, at + kb.shape[-2]) > i + S - L)
        p = torch.exp((s - lse).masked_fill(gone, -60.0))
        dv[..., at:at + block_size, :] = p.mT @ g
        ds = p * (g @ vb.mT - delta)
        dq += ds @ kb * c
        dk[..., at:at + block_size, :] = ds.mT @ q * c
        at += block_size
    return dq, dk, dv
