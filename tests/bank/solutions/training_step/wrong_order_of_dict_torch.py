"""Gradients come in the order of the dict and are handed out in a fixed order of names."""
import math

import torch

_NAMES = ("embedding", "w_q", "w_k", "w_v", "w_out")


def train_step(
    weights: dict[str, torch.Tensor], tokens: torch.Tensor, learning_rate: float
) -> tuple[dict[str, torch.Tensor], torch.Tensor]:
    """Let a small language model learn from some sentences, by one step of gradient descent.

    weights     embedding (V, E), w_q, w_k, w_v (E, E), w_out (E, V)
    tokens      (B, N), integers from 0 to V - 1
    returns     new weights under the same names, and the loss before the step
    """
    params = {name: w.detach().clone().requires_grad_() for name, w in weights.items()}
    source, target = tokens[:, :-1].long(), tokens[:, 1:].long()
    n = source.shape[1]
    with torch.enable_grad():
        x = params["embedding"].index_select(0, source.flatten()).unflatten(0, source.shape)
        q, k, v = (x @ params[name] for name in ("w_q", "w_k", "w_v"))
        scores = torch.bmm(q, k.transpose(1, 2)) / math.sqrt(x.shape[-1])
        later = torch.ones(n, n, dtype=torch.bool, device=x.device).triu(1)
        attention = scores.masked_fill(later, -math.inf).softmax(dim=-1)
        logits = (x + torch.bmm(attention, v)) @ params["w_out"]
        log_p = logits.log_softmax(dim=-1)
        loss = -log_p.gather(-1, target.unsqueeze(-1)).mean()
        grads = torch.autograd.grad(loss, tuple(params.values()))
    steps = dict(zip(_NAMES, grads))
    new = {name: params[name].detach() - learning_rate * steps[name] for name in _NAMES}
    return new, loss.detach()
