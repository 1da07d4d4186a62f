"""Right. Chunks are an axis (padded with zeros at the end); only the memories, one small matrix a chunk, are carried on in a loop.
Powers have constant exponents, so that the gradient at a decay of 0 and of 1 is the true one."""
import torch
import torch.nn.functional as F


def retention(q, k, v, decay):
    c = 64
    n = q.shape[2]
    m = (n + c - 1) // c

    def chunks(t):
        return F.pad(t, (0, 0, 0, m * c - n)).unflatten(2, (m, c))

    qc, kc, vc = chunks(q), chunks(k), chunks(v)
    step = torch.arange(c, dtype=decay.dtype, device=decay.device)
    gamma = decay[:, None, None, None]
    gap = step[:, None] - step
    fade = torch.pow(gamma, gap.clamp(min=0)).tril()
    out = (qc @ kc.transpose(-1, -2) * fade) @ vc

    added = (kc * torch.pow(gamma, (c - 1 - step)[:, None])).transpose(-1, -2) @ vc
    whole = torch.pow(decay, c)[:, None, None]
    memory, before = torch.zeros_like(added[:, :, 0]), []
    for one in added.unbind(2):
        before.append(memory)
        memory = memory * whole + one
    out = out + (qc @ torch.stack(before, dim=2)) * torch.pow(gamma, (step + 1)[:, None])
    return out.flatten(2, 3)[:, :, :n]
