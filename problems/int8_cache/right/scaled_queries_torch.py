# Heads join the batch, the root is taken out of the queries, and the values' scales go in last.
import torch


def quantize(x):
    low, high = x.aminmax(dim=-1)
    scale = torch.maximum(high, -low) / 127
    codes = torch.nan_to_num(x / scale.unsqueeze(-1)).round()  # 0 / 0 is 0 here
    return codes.char(), scale


def attend_quantized(q, keys_q, key_scale, values_q, value_scale):
    B, H, _, D = q.shape
    q, keys_q, values_q = (x.flatten(0, 1) for x in (q, keys_q, values_q))
    key_scale, value_scale = key_scale.flatten(0, 1), value_scale.flatten(0, 1)
    scores = torch.bmm(q * D**-0.5, keys_q.to(q.dtype).mT) * key_scale[:, None]
    weights = torch.exp(scores - scores.amax(dim=2, keepdim=True))
    total = weights.sum(dim=2, keepdim=True)
    output = torch.bmm(weights * value_scale[:, None], values_q.to(q.dtype)) / total
    return output.unflatten(0, (B, H))
