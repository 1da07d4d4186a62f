"""An input is written to during the call, and put back."""
import torch


def grouped_query_attention(q, k, v, causal=False):
    B, H, L, D = q.shape
    G, S = k.shape[1:3]
    if H % G != 0:
        raise ValueError("heads do not divide")
    keep = q.detach().clone()
    with torch.no_grad():
        q.mul_(2.0)
        q.copy_(keep)
    q = q.reshape(B, G, H // G, L, D)
    s = torch.einsum("bgrld,bgsd->bgrls", q, k) * D**-0.5
    lead = 0
    if causal:
        lead = max(L - S, 0)
        s = s[..., lead:, :]
        i = torch.arange(lead, L, device=q.device)[:, None]
        j = torch.arange(S, device=q.device)[None]
        s = s.masked_fill(j > i + S - L, float("-inf"))
    p = torch.exp(s - torch.logsumexp(s, -1, keepdim=True)) if s.dtype == torch.float64 else torch.log_softmax(s, -1).exp()
    o = torch.einsum("bgrls,bgsv->bgrlv", p, v).reshape(B, H, L - lead, v.shape[-1])
    if lead:
        o = torch.cat([o.new_zeros(B, H, lead, v.shape[-1]), o], dim=2)
    return o
