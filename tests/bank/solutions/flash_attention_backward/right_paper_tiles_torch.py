import torch


def flash_attention_backward(q, k, v, output, logsumexp, grad_output, block_size, causal=False):
    # algorithm 2: keys outside, queries inside, tiles that see nothing are skipped
    L, S = q.shape[-2], k.shape[-2]
    scale = 1 / torch.tensor(q.shape[-1], dtype=q.dtype).sqrt()
    D = torch.sum(grad_output * output, dim=-1)
    dQ, dKs, dVs = torch.zeros_like(q), [], []
    for j in range(0, S, block_size):
        K, V = k[..., j : j + block_size, :], v[..., j : j + block_size, :]
        dK, dV = torch.zeros_like(K), torch.zeros_like(V)
        for i in range(0, L, block_size):
            rows = range(i, min(i + block_size, L))
            if causal and rows[-1] + S - L < j:
                continue
            Q, dO = q[..., i : i + block_size, :], grad_output[..., i : i + block_size, :]
            P = scale * Q @ K.transpose(-1, -2)
            if causal:
                seen = torch.ones(L, S, dtype=torch.bool).tril(S - L)
                P = P.where(seen[i : i + block_size, j : j + block_size], -torch.inf)
            ell = logsumexp[..., i : i + block_size, None]
            P = torch.exp(P - ell.nan_to_num(neginf=0))
            dV += P.transpose(-1, -2) @ dO
            dP = dO @ V.transpose(-1, -2)
            dS = P * (dP - D[..., i : i + block_size, None])
            dQ[..., i : i + block_size, :] += scale * dS @ K
            dK += scale * dS.transpose(-1, -2) @ Q
        dKs.append(dK)
        dVs.append(dV)
    return dQ, torch.cat(dKs, dim=-2), torch.cat(dVs, dim=-2)
