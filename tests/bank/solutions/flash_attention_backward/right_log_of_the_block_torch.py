import torch


def flash_attention_backward(q, k, v, output, logsumexp, grad_output, block_size, causal=False):
    # the softmax of a block, times the share that the block has of the row
    L, S, D = q.shape[-2], k.shape[-2], q.shape[-1]
    low = torch.finfo(q.dtype).min
    delta = torch.linalg.vecdot(output, grad_output).unsqueeze(-1)
    found = []
    for keys, values, at in zip(
        k.split(block_size, -2), v.split(block_size, -2), torch.arange(S).split(block_size), strict=True
    ):
        s = torch.matmul(q, keys.transpose(-1, -2)).div(D**0.5)
        if causal:
            s = s.masked_fill(at - (S - L) > torch.arange(L)[:, None], low)
        share = torch.exp(torch.logsumexp(s, -1, keepdim=True) - logsumexp.clamp(min=-2e4)[..., None])
        p = torch.softmax(s, -1) * share.nan_to_num(posinf=0)
        if causal:
            p = p * (at - (S - L) <= torch.arange(L)[:, None])
        ds = p * (grad_output @ values.mT - delta) / D**0.5
        found.append((ds @ keys, ds.mT @ q, p.mT @ grad_output))
    dq, dk, dv = zip(*found, strict=True)
    return sum(dq), torch.cat(dk, dim=-2), torch.cat(dv, dim=-2)
