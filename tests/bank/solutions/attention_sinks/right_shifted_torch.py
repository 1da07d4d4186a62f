"""Exponentials below a common maximum, in double precision."""
import torch


def attention_with_sinks(q, k, v, sinks):
    s = (q.double() @ k.double().mT) / q.shape[-1] ** 0.5
    z = sinks.double()[None, :, None, None]
    top = torch.maximum(s.amax(-1, keepdim=True), z).detach()
    e = (s - top).exp()
    return (e / (e.sum(-1, keepdim=True) + (z - top).exp()) @ v.double()).to(q.dtype)
