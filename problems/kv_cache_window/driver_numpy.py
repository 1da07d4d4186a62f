import numpy as np


def run(solution, q, k, v, prompt=1, chunk=1, asks=1, beside=False, reuse=False, times=1):
    """Appends the first `prompt` tokens, then `chunk` at a time, all of it `times` times over.

    After each append there are `asks` questions; the newest token asks the last one, which counts.
    With `beside`, a second cache gets other tokens by turns. With `reuse`, what was appended is
    overwritten before anyone asks.
    """
    cache, other = solution.make(), solution.make()
    outputs, positions = [], []
    ends = [*range(prompt, k.shape[2], chunk), k.shape[2]]
    for begin, end in [*zip([0, *ends[:-1]], ends, strict=True)] * times:
        keys, values = k[:, :, begin:end], v[:, :, begin:end]
        if reuse or times > 1:
            keys, values = keys.copy(), values.copy()
        positions.append(cache.position)
        cache.append(keys, values)
        if beside:
            other.append(-keys, -values)
        if reuse:
            keys[...], values[...] = 0, 0
        for _ in range(asks - 1):
            cache.attend(-q[:, :, end - 1])
        output = cache.attend(q[:, :, end - 1])
        outputs.append(output)
    return np.stack(outputs, axis=2), np.array(positions)
