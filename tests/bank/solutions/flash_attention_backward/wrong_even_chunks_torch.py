# torch.chunk makes chunks of even size, but the position of a key is counted as if each held block_size keys
import torch


def flash_attention_backward(q, k, v, output, logsumexp, grad_output, block_size, causal=False):
    L, S = q.shape[-2], k.shape[-2]
    scale = q.shape[-1] ** -0.5
    count = (S + block_size - 1) // block_size
    i = torch.arange(L, device=q.device).unsqueeze(-1)
    blind = torch.isneginf(logsumexp).unsqueeze(-1)
    g = grad_output.masked_fill(blind, 0.0)
    delta = (output * g).sum(-1, keepdim=True)
    dq = torch.zeros_like(q)
    dks, dvs = [], []
    for n, (kb, vb) in enumerate(zip(k.chunk(count, dim=-2), v.chunk(count, dim=-2))):
        s = (q @ kb.transpose(-1, -2)) * scale - logsumexp.unsqueeze(-1)
        s = s.masked_fill(blind, float("-inf"))
        if causal:
            j = n * block_size + torch.arange(kb.shape[-2], device=q.device)
            s = s.masked_fill(j > i + (S - L), float("-inf"))
        p = s.exp()
        dvs.append(p.transpose(-1, -2) @ g)
        ds = p * (g @ vb.transpose(-1, -2) - delta) * scale
        dks.append(ds.transpose(-1, -2) @ q)
        dq += ds @ kb
    return dq, torch.cat(dks, -2), torch.cat(dvs, -2)
