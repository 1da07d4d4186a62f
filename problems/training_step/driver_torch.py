import torch


def run(solution, weights, tokens, learning_rate=0.1, steps=1, twice=False):
    """Trains on the same tokens again and again; collects the loss of each step.

    With `twice`, each step is tried before, with the same weights; the second time counts.
    """
    dtype = weights["embedding"].dtype
    losses = []
    for _ in range(steps):
        if twice:
            solution.train_step(weights, tokens, learning_rate)
        weights, loss = solution.train_step(weights, tokens, learning_rate)
        loss = loss if torch.is_tensor(loss) else torch.tensor(loss, dtype=dtype)
        losses.append(loss.detach())
    return torch.stack(losses), weights
