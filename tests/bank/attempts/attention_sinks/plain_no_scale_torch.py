"""The formula as it stands, without the root."""
# causes: no_maximum_subtracted, no_scale

import torch


def attention_with_sinks(q, k, v, sinks):
    e = torch.exp(torch.einsum("bhld,bhsd->bhls", q, k))
    total = e.sum(-1, keepdim=True) + sinks.exp()[:, None, None]
    return torch.einsum("bhls,bhsv->bhlv", e / total, v)
