# Keys and values are restored first; what follows is ordinary attention.
import torch


def quantize(x):
    largest = torch.linalg.vector_norm(x, ord=torch.inf, dim=-1, keepdim=True)
    codes = (127 * (x / largest.masked_fill(largest == 0, 1))).round().to(torch.int8)
    return codes, largest.squeeze(-1) / 127


def attend_quantized(q, keys_q, key_scale, values_q, value_scale):
    keys = key_scale.unsqueeze(-1) * keys_q
    values = value_scale.unsqueeze(-1) * values_q
    scores = torch.einsum("bhld,bhsd->bhls", q, keys) / q.shape[-1] ** 0.5
    return torch.einsum("bhls,bhsv->bhlv", scores.softmax(dim=-1), values)
