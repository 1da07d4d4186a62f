"""Everything transposed and turned back: non-contiguous results, float64 inside."""
import torch


def attention_steps(x, w_q, w_k, w_v):
    dtype = x.dtype
    x, w_q, w_k, w_v = (t.double() for t in (x, w_q, w_k, w_v))
    turned = (x @ w_k) @ (x @ w_q).T
    scaled = turned / w_q.shape[1] ** 0.5
    weights = torch.softmax(scaled, dim=0)
    output = ((x @ w_v).T @ weights).T
    return turned.T.to(dtype), scaled.T.to(dtype), weights.T.to(dtype), output.to(dtype)
