import torch


def run(solution, q, k, v, prompt=1, chunk=1, asks=1, beside=False, reuse=False, times=1):
    """Appends the first `prompt` tokens, then `chunk` at a time, all of it `times` times over.

    After each append there are `asks` questions; the newest token asks the last one, which counts.
    With `beside`, a second cache gets other tokens by turns. With `reuse`, what was appended is
    overwritten before anyone asks.
    """
    cache, other = solution.make(), solution.make()
    outputs, positions = None, []
    ends = [*range(prompt, k.shape[2], chunk), k.shape[2]]
    steps = [*zip([0, *ends[:-1]], ends, strict=True)] * times
    for i, (begin, end) in enumerate(steps):
        keys, values = k[:, :, begin:end], v[:, :, begin:end]
        if reuse or times > 1:
            keys, values = keys.clone(), values.clone()
        positions.append(cache.position)
        cache.append(keys, values)
        if beside:
            other.append(-keys, -values)
        if reuse:
            keys[...], values[...] = 0, 0
        for _ in range(asks - 1):
            cache.attend(-q[:, :, end - 1])
        output = cache.attend(q[:, :, end - 1])
        if outputs is None:
            outputs = torch.stack([output] * len(steps), dim=2)
        outputs[:, :, i] = output
    return outputs, torch.tensor(positions)
