# einsum names the axes: i queries, j keys of a block, d features, v numbers of a value.
import torch


def flash_attention_backward(q, k, v, output, logsumexp, grad_output, block_size, causal=False):
    L, S = q.shape[-2], k.shape[-2]
    q = q / q.shape[-1] ** 0.5
    delta = torch.einsum("...iv,...iv->...i", output, grad_output)
    dq, dk, dv = torch.zeros_like(q), [], []
    for start in range(0, S, block_size):
        keys, values = (x[..., start : start + block_size, :] for x in (k, v))
        s = torch.einsum("...id,...jd->...ij", q, keys) - logsumexp[..., None]
        if causal:
            s = s.masked_fill(
                start + torch.arange(keys.shape[-2]) > torch.arange(L)[:, None] + S - L, -torch.inf
            )
        p = torch.exp(s)
        dp = torch.einsum("...iv,...jv->...ij", grad_output, values)
        ds = p * (dp - delta[..., None])
        dq += torch.einsum("...ij,...jd->...id", ds, keys)
        dk.append(torch.einsum("...ij,...id->...jd", ds, q))
        dv.append(torch.einsum("...ij,...iv->...jv", p, grad_output))
    return dq / k.shape[-1] ** 0.5, torch.cat(dk, -2), torch.cat(dv, -2)
