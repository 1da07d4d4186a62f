import torch


def run(solution, x, pieces=None, aside=None, at=0, fresh=False):
    """Feeds x to one module, in pieces of these lengths (None: all at once).

    `aside` is a second text. Before piece number `at`, its first half goes on from the cache of the
    pieces so far, or begins anew if `fresh`; its second half follows after the last piece of x.
    """
    torch.set_grad_enabled(x.requires_grad)  # who only writes keeps no graph of what was computed
    attention = solution.make()
    outputs, cache, cache_aside = [], None, None
    for number, piece in enumerate(x.split(pieces or x.shape[1], dim=1)):
        if aside is not None and number == at:
            begin, rest = aside.tensor_split(2, dim=1)
            output, cache_aside = attention(begin, None if fresh else cache)
            outputs.append(output)
        output, cache = attention(piece, cache)
        outputs.append(output)
    if aside is not None:
        output, _ = attention(rest, cache_aside)
        outputs.append(output)
    return torch.cat(outputs, dim=1)
