"""Right. No chunks: an associative scan over pairs (decay, state) that doubles its reach, without one write in place."""
import torch


def ssd(x, a, b, c, chunk) -> torch.Tensor:
    n = x.shape[2]
    decay = a[:, :, :, None, None]
    written = b[:, None, :, :, None] * x[:, :, :, None, :]
    state = torch.addcmul(written, decay, torch.zeros_like(written))  # h_0 = 0
    reach = 1
    while reach < n:
        late = decay[:, :, reach:]
        arrived = state[:, :, reach:] + late * state[:, :, :-reach]
        product = late * decay[:, :, :-reach]
        state = torch.cat([state[:, :, :reach], arrived], dim=2)
        decay = torch.cat([decay[:, :, :reach], product], dim=2)
        reach *= 2
    return (state * c[:, None, :, :, None]).sum(dim=3)
