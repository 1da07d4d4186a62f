"""A chunk is halved until one token is left: what the first half writes, the second half reads."""
import torch


def halves(q, k, v, g):
    """Returns the output from an empty memory, what is written, the gates so far, all (..., C, .)."""
    if q.shape[2] == 1:
        return (q * k).sum(-1, keepdim=True) * v, k.transpose(2, 3) @ v, g
    m = q.shape[2] // 2
    first = halves(*(x[:, :, :m] for x in (q, k, v, g)))
    second = halves(*(x[:, :, m:] for x in (q, k, v, g)))
    late = second[0] + (q[:, :, m:] * second[2]) @ first[1]
    total = torch.cat([first[2], second[2] * first[2][:, :, -1:]], 2)
    memory = second[2][:, :, -1].unsqueeze(-1) * first[1] + second[1]
    return torch.cat([first[0], late], 2), memory, total


def gated_linear_attention(q, k, v, gates, chunk):
    n = q.shape[2]
    size = min(chunk, n)
    N = -(-n // size)
    B, H = q.shape[:2]
    pad = lambda x: torch.cat([x, x.new_zeros(B, H, N * size - n, x.shape[3])], 2)
    parts = [pad(x).reshape(B, H * N, size, x.shape[3]) for x in (q, k, v, gates)]
    own, written, since = (x.reshape(B, H, N, *x.shape[2:]) for x in halves(*parts))
    memory, read = torch.zeros_like(written[:, :, 0]), []
    for c in range(N):
        read.append(memory)
        memory = since[:, :, c, -1].unsqueeze(-1) * memory + written[:, :, c]
    output = own + (parts[0].reshape(B, H, N, size, -1) * since) @ torch.stack(read, 2)
    return output.flatten(2, 3)[:, :, :n]
