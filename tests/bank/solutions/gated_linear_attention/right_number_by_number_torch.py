"""Text by text, head by head and number by number of the key; logarithms are not used."""
import torch


def fading(gates):
    """(C,) -> (C, C): the product of the gates after j up to i, 0 above the diagonal."""
    table = gates[:, None].expand(-1, len(gates)).tril(-1) + torch.ones_like(gates).diag()
    table = table + torch.ones(len(gates), len(gates), dtype=gates.dtype).triu(1)
    return table.cumprod(0).tril()


def gated_linear_attention(q, k, v, gates, chunk):
    texts = []
    for b in range(q.shape[0]):
        heads = []
        for h in range(q.shape[1]):
            memory, rows = torch.zeros(q.shape[3], v.shape[3], dtype=v.dtype), []
            for Q, K, V, G in zip(*(x[b, h].split(chunk) for x in (q, k, v, gates))):
                out, new = 0, []
                for d in range(q.shape[3]):
                    fade, since = fading(G[:, d]), G[:, d].cumprod(0)
                    out = out + (Q[:, d, None] * fade * K[:, d]) @ V + (Q[:, d] * since)[:, None] * memory[d]
                    new.append(since[-1] * memory[d] + (K[:, d] * fade[-1]) @ V)
                rows.append(out)
                memory = torch.stack(new)
            heads.append(torch.cat(rows))
        texts.append(torch.stack(heads))
    return torch.stack(texts)
