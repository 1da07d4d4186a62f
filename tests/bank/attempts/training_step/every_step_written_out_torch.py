"""The backward pass by hand, without the framework's."""
# causes: none

import torch


@torch.no_grad()
def train_step(weights, tokens, learning_rate):
    emb, wq, wk, wv, wo = [weights[n] for n in ("embedding", "w_q", "w_k", "w_v", "w_out")]
    inp, tgt = tokens[:, :-1], tokens[:, 1:]
    batch, length = inp.shape
    root = emb.shape[1] ** 0.5
    x = emb[inp]
    q, k, v = x @ wq, x @ wk, x @ wv
    future = torch.triu(torch.ones(length, length, dtype=torch.bool), diagonal=1)
    att = torch.softmax((q @ k.transpose(-2, -1) / root).masked_fill(future, -1e30), dim=-1)
    h = x + att @ v
    logp = torch.log_softmax(h @ wo, dim=-1)
    loss = -torch.gather(logp, 2, tgt.unsqueeze(-1)).mean()

    dlogits = logp.exp()
    dlogits.scatter_add_(2, tgt.unsqueeze(-1), -torch.ones_like(dlogits[..., :1]))
    dlogits /= batch * length
    dh = dlogits @ wo.t()
    datt = dh @ v.transpose(1, 2)
    dscores = att * (datt - (att * datt).sum(-1, keepdim=True)) / root
    dq, dk, dv = dscores @ k, dscores.transpose(1, 2) @ q, att.transpose(1, 2) @ dh
    dx = dh + dq @ wq.t() + dk @ wk.t() + dv @ wv.t()
    demb = torch.zeros_like(emb).index_add_(0, inp.reshape(-1), dx.reshape(batch * length, -1))
    xt = x.transpose(1, 2)
    grads = {
        "embedding": demb,
        "w_q": (xt @ dq).sum(0),
        "w_k": (xt @ dk).sum(0),
        "w_v": (xt @ dv).sum(0),
        "w_out": (h.transpose(1, 2) @ dlogits).sum(0),
    }
    return {n: weights[n] - learning_rate * grads[n] for n in weights}, loss
