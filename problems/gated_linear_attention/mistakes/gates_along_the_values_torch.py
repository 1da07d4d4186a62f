import torch


def gated_linear_attention(q, k, v, gates, chunk):
    memory = v.new_zeros(*k.shape[:2], k.shape[-1], v.shape[-1])
    output = []
    for i in range(q.shape[2]):
        gate = gates[:, :, i, None, :]
        memory = gate * memory + k[:, :, i, :, None] * v[:, :, i, None, :]
        output.append((q[:, :, i, None, :] @ memory)[:, :, 0])
    return torch.stack(output, dim=2)
