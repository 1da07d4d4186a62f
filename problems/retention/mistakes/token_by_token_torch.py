import torch


def retention(q, k, v, decay):
    memory = v.new_zeros(*k.shape[:2], k.shape[-1], v.shape[-1])
    output = []
    for i in range(q.shape[2]):
        memory = decay[:, None, None] * memory + k[:, :, i, :, None] * v[:, :, i, None, :]
        output.append((q[:, :, i, None, :] @ memory)[:, :, 0])
    return torch.stack(output, dim=2)
