"""Plain attention, times the share that the sink leaves."""
import torch


def attention_with_sinks(q, k, v, sinks):
    s = torch.einsum("bhld,bhsd->bhls", q, k) / q.shape[-1] ** 0.5
    share = torch.sigmoid(torch.logsumexp(s, -1, keepdim=True) - sinks[:, None, None])
    return share * torch.einsum("bhls,bhsv->bhlv", s.softmax(-1), v)
