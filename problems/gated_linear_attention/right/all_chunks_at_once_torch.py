# One step for each place in a chunk, in all chunks at once, and then one step for each chunk.
import torch
import torch.nn.functional as F


def gated_linear_attention(q, k, v, gates, chunk):
    B, H, n, D = q.shape
    C = min(chunk, n)
    N = -(-n // C)
    q, k, v, gates = (F.pad(x, (0, 0, 0, N * C - n)).view(B, H, N, C, -1) for x in (q, k, v, gates))
    own, kept = v.new_zeros(B, H, N, D, v.shape[-1]), v.new_ones(B, H, N, D)
    rows, since = [], []
    for i in range(C):
        own = gates[..., i, :, None] * own + k[..., i, :, None] * v[..., i, None, :]
        kept = kept * gates[..., i, :]
        rows.append((q[..., i, None, :] @ own).squeeze(-2))
        since.append(kept)
    memory, before = v.new_zeros(B, H, D, v.shape[-1]), []
    for c in range(N):
        before.append(memory)
        memory = kept[:, :, c].unsqueeze(-1) * memory + own[:, :, c]
    output = torch.stack(rows, 3) + (q * torch.stack(since, 3)) @ torch.stack(before, 2)
    return output.reshape(B, H, N * C, -1)[:, :, :n]
