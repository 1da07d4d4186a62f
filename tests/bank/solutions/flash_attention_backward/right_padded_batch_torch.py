import math

import torch
import torch.nn.functional as F


def flash_attention_backward(q, k, v, output, logsumexp, grad_output, block_size, causal=False):
    # leading sizes made one batch, keys padded to whole blocks and the padding hidden
    L, S, D, E = q.shape[-2], k.shape[-2], q.shape[-1], v.shape[-1]
    flat = [x.reshape(-1, *x.shape[-2:]) for x in (q, k, v, output, grad_output)]
    qs, ks, vs, os, gs = flat
    lse = logsumexp.reshape(-1, L, 1)
    count = math.ceil(S / block_size)
    ks = F.pad(ks, (0, 0, 0, count * block_size - S)).reshape(-1, count, block_size, D)
    vs = F.pad(vs, (0, 0, 0, count * block_size - S)).reshape(-1, count, block_size, E)
    last = torch.arange(L)[:, None] + S - L if causal else torch.full((L, 1), S - 1)
    delta = (os * gs).sum(-1, True)
    dq, dks, dvs = torch.zeros_like(qs), [], []
    for n in range(count):
        j = torch.arange(n * block_size, (n + 1) * block_size)
        s = torch.bmm(qs, ks[:, n].mT) / math.sqrt(D)
        p = torch.where((j <= last) & (j < S), (s - lse).exp(), 0.0)
        ds = p * (torch.bmm(gs, vs[:, n].mT) - delta)
        dq = torch.baddbmm(dq, ds, ks[:, n], alpha=1 / math.sqrt(D))
        dks.append(torch.bmm(ds.mT, qs) / math.sqrt(D))
        dvs.append(torch.bmm(p.mT, gs))
    dk, dv = torch.cat(dks, 1)[:, :S], torch.cat(dvs, 1)[:, :S]
    return dq.reshape(q.shape), dk.reshape(k.shape), dv.reshape(v.shape)
