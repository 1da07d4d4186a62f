import torch


def run(solution, logits, temperature, top_k, top_p, u):
    """Chooses once for each number of u."""
    choose = solution.next_token
    return torch.tensor([int(choose(logits, temperature, top_k, top_p, float(each))) for each in u])
