import torch


def flash_attention_backward(q, k, v, output, logsumexp, grad_output, block_size, causal=False):
    # two passes over the keys, without the output: first delta, then the gradients
    L, S = q.shape[-2], k.shape[-2]
    root = q.shape[-1] ** 0.5
    last = torch.arange(L)[:, None] + (S - L if causal else S)

    def parts():
        for start in range(0, S, block_size):
            keys, values = (x.narrow(-2, start, min(block_size, S - start)) for x in (k, v))
            hidden = start + torch.arange(keys.shape[-2]) > last
            s = torch.matmul(q / root, keys.mT).masked_fill(hidden, -torch.inf)
            p = torch.exp(s - logsumexp[..., None]).masked_fill(hidden, 0)
            yield keys, p, grad_output @ values.mT

    delta = sum((p * dp).sum(-1, keepdim=True) for _, p, dp in parts())
    dq, dk, dv = 0, [], []
    for keys, p, dp in parts():
        ds = p * (dp - delta) / root
        dq = dq + ds @ keys
        dk.append(ds.mT @ q)
        dv.append(p.mT @ grad_output)
    return dq, torch.cat(dk, -2), torch.cat(dv, -2)
