import torch


def run(solution, logits, temperature, top_k, top_p, u, earlier=None):
    """Chooses once for each number of u. With `earlier`, the array of the logits held these before,
    and a choice was made then.
    """
    choose = solution.next_token
    if earlier is not None:
        array = earlier.clone()
        choose(array, temperature, top_k, top_p, float(u[0]))
        array[:] = logits
        logits = array
    return torch.tensor([int(choose(logits, temperature, top_k, top_p, float(each))) for each in u])
