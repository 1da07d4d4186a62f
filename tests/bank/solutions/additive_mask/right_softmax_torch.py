"""Right: the method softmax, and addmm for scores and mask in one go."""


def self_attention_with_mask(x, w_q, w_k, w_v, mask=None):
    q, k, v = x.matmul(w_q), x.matmul(w_k), x.matmul(w_v)
    scale = 1.0 / k.size(-1) ** 0.5
    scores = (q @ k.mT) * scale if mask is None else mask.addmm(q, k.mT, beta=1, alpha=scale)
    weights = scores.softmax(1)
    return weights.mm(v), weights
