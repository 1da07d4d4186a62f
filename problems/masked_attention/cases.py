import numpy as np

from grader.case import Case

TRUE_SEES = 'True means "may attend"'
HIDES_KEYS = "Padding hides keys, never queries"
ALIGNED = "Causal is aligned to the end"
NOTHING = "A query that sees nothing gets zeros"
LARGE = "Large scores"
ONE = "Any size may be one"
PRECISION = "Keeps precision"
INPUTS = "Leaves its inputs alone"
VIEWS = "Takes views and read-only arrays"
REMEMBERS = "Remembers nothing between calls"
GRADIENTS = "Gradients flow"


def cases(rng):
    yield Case(
        "causal, three words",
        inputs=tensors(rng, B=2, L=3, S=3, D=4, Dv=5, digits=1),
        options={"causal": True},
        sample=True,
        rule=ALIGNED,
        labels=("The", "cat", "sat"),
        same="The queries and the keys are the same three words.",
        note="Each word looks at itself and at the words before it.",
    )
    yield Case(
        "padding, four words",
        inputs=tensors(rng, B=2, L=4, S=4, D=3, Dv=5, digits=1)
        | {"padding_mask": bits("1110", "1011")},
        sample=True,
        rule=HIDES_KEYS,
        labels=("The", "cat", "sat", "<pad>"),
        same="The queries and the keys are the same four words.",
        note="Two sequences with padding in different places, one of them in the middle.",
    )
    yield Case(
        "causal, left padding",
        inputs=tensors(rng, B=2, L=4, S=4, D=5, Dv=3, digits=1)
        | {"padding_mask": bits("0011", "0111")},
        options={"causal": True},
        sample=True,
        rule=NOTHING,
        labels=("<pad>", "<pad>", "Hello", "world"),
        same="The queries and the keys are the same four words.",
        note="Both masks at once: the first queries see no key at all.",
    )
    yield Case(
        "no mask",
        inputs=large_numbers(tensors(rng, B=5, L=5, S=5, D=5, Dv=5)),
        same="B = L = S = D = Dv, so that no shape tells an axis apart",
        note="Without any mask this is plain attention. All sizes are equal.",
    )
    yield Case(
        "a query of zeros",
        inputs=small_numbers(tensors(rng, B=2, L=4, S=5, D=3, Dv=6)),
        note="One query is 0 everywhere, so all its scores are 0.",
    )
    yield Case(
        "padding",
        inputs=tensors(rng, B=3, L=4, S=6, D=8, Dv=5)
        | {"padding_mask": bits("111100", "010111", "111111")},
        rule=TRUE_SEES,
        note="More keys than queries; padding at the end, in the middle and nowhere.",
    )
    yield Case(
        "padding, other values",
        inputs=tensors(rng, B=3, L=4, S=6, D=8, Dv=5)
        | {"padding_mask": bits("001111", "111101", "110001")},
        rule=REMEMBERS,
        note="The same shapes as before with other values and another mask.",
    )
    yield Case(
        "causal and padding, a second call",
        inputs=tensors(rng, B=2, L=3, S=6, D=4, Dv=5) | {"padding_mask": bits("110110", "101111")},
        options={"causal": True},
        before=tensors(rng, B=2, L=3, S=6, D=4, Dv=5) | {"padding_mask": bits("111011", "011101")},
        rule=REMEMBERS,
        note="The second call has the shapes of the first, and another mask.",
    )
    unseen = tensors(rng, B=2, L=3, S=5, D=4, Dv=6) | {"padding_mask": bits("11010", "01101")}
    unseen["v"][~unseen["padding_mask"]] *= 1e20
    yield Case(
        "enormous values at hidden keys",
        inputs=unseen,
        rule=TRUE_SEES,
        note="Hidden keys have values of 1e20: a weight that is small and not 0 would be seen.",
    )
    yield Case(
        "as many sequences as queries",
        inputs=tensors(rng, B=3, L=3, S=5, D=4, Dv=6)
        | {"padding_mask": bits("11001", "01111", "11110")},
        rule=TRUE_SEES,
        same="The mask belongs to sequences, not to queries; here nothing but the meaning of the axes tells.",
        note="The batch is as large as the number of queries.",
    )
    yield Case(
        "padded keys that are queries too",
        inputs=tensors(rng, B=35, L=5, S=5, D=6, Dv=3)
        | {"padding_mask": np.concatenate([bits("10110", "01101"), padding(rng, 33, 5)])},
        rule=HIDES_KEYS,
        same="Self-attention: queries and keys are the same positions.",
        note="The mask says which positions may be looked at, not which may look. Each of the 35 sequences has its own.",
    )
    yield Case(
        "causal",
        inputs=tensors(rng, B=2, L=6, S=6, D=5, Dv=3),
        options={"causal": True},
        rule=ALIGNED,
        same="As many queries as keys, as in the training of a decoder.",
        note="As many queries as keys, and no padding.",
    )
    yield Case(
        "causal, fewer queries than keys",
        inputs=tensors(rng, B=2, L=3, S=7, D=6, Dv=4),
        options={"causal": True},
        rule=ALIGNED,
        note="The queries are the last three positions, as in decoding with a cache.",
    )
    yield Case(
        "causal, one query",
        inputs=tensors(rng, B=3, L=1, S=6, D=4, Dv=5),
        options={"causal": True},
        rule=ALIGNED,
        note="One step of decoding: the newest position looks back at all.",
    )
    blank = tensors(rng, B=3, L=4, S=7, D=6, Dv=5)
    blank["q"][:, 1] = 0
    yield Case(
        "both masks",
        inputs=blank | {"padding_mask": bits("1101111", "1000001", "1110010")},
        options={"causal": True},
        layout=dict.fromkeys(("q", "k", "v", "padding_mask"), "transposed"),
        rule=ALIGNED,
        note="Padding and causality together, with fewer queries than keys. One query is 0 everywhere, and so are its scores. In memory the first axis is fastest.",
    )
    yield Case(
        "both masks, many keys",
        inputs=tensors(rng, B=2, L=47, S=293, D=5, Dv=3)
        | {"padding_mask": np.arange(293) >= rng.permutation([0, rng.integers(3, 12)])[:, None]},
        options={"causal": True},
        rule=ALIGNED,
        note="Each query sees some two or three hundred keys.",
    )
    yield Case(
        "causal, and nothing is padding",
        inputs=tensors(rng, B=2, L=4, S=6, D=5, Dv=3) | {"padding_mask": bits("111111", "111111")},
        options={"causal": True},
        rule=ALIGNED,
        note="The padding mask hides nothing, and the future is hidden all the same.",
    )
    yield Case(
        "causal, one query, with padding",
        inputs=tensors(rng, B=3, L=1, S=5, D=4, Dv=6)
        | {"padding_mask": bits("01101", "00111", "10011")},
        options={"causal": True},
        rule=HIDES_KEYS,
        note="One step of decoding: the newest position looks back at all but the padding.",
    )
    yield Case(
        "causal, padded keys that are queries too",
        inputs=tensors(rng, B=2, L=6, S=6, D=6, Dv=3) | {"padding_mask": bits("101100", "110010")},
        options={"causal": True},
        rule=HIDES_KEYS,
        same="Self-attention: queries and keys are the same positions.",
        note="Padding in the middle, and at the end of both sequences; a padded position looks back like any other.",
    )
    yield Case(
        "causal, more queries than keys",
        inputs=tensors(rng, B=2, L=7, S=4, D=5, Dv=3),
        options={"causal": True},
        rule=NOTHING,
        note="Aligned to the end, the first queries come before every key.",
    )
    yield Case(
        "causal and padding, more queries than keys",
        inputs=tensors(rng, B=3, L=6, S=4, D=5, Dv=2)
        | {"padding_mask": rng.permutation(bits("0000", "0110", "1011"))},
        options={"causal": True},
        rule=NOTHING,
        note="Some keys are hidden twice, and for some queries every key is.",
    )
    yield Case(
        "causal, two queries, one key",
        inputs=tensors(rng, B=3, L=2, S=1, D=5, Dv=4),
        options={"causal": True},
        rule=NOTHING,
        note="The only key stands at the last query, so the first query comes before it.",
    )
    yield Case(
        "one sequence is all padding",
        inputs=tensors(rng, B=3, L=2, S=5, D=4, Dv=6)
        | {"padding_mask": bits("11011", "00000", "10110")},
        rule=NOTHING,
        note="A whole sequence of the batch has nothing to look at.",
    )
    yield Case(
        "every sequence is all padding",
        inputs=tensors(rng, B=2, L=3, S=5, D=6, Dv=4) | {"padding_mask": bits("00000", "00000")},
        rule=NOTHING,
        note="No sequence of the batch has anything to look at.",
    )
    yield Case(
        "a lone key that is hidden",
        inputs=tensors(rng, B=2, L=1, S=1, D=4, Dv=5) | {"padding_mask": bits("1", "0")},
        rule=NOTHING,
        same="A single query meets a single key.",
        note="A single query and a single key in each sequence, once seen and once hidden.",
    )
    yield Case(
        "huge scores at hidden keys",
        inputs=ladder(
            rng, B=2, L=3, S=5, D=4, Dv=6, rows=(1, 2, 3), columns=(-30, -60, 100, -90, 95)
        )
        | {"padding_mask": bits("11010", "01010")},
        rule=LARGE,
        note="Hidden scores near 10 000, and visible ones far below 0.",
    )
    yield Case(
        "huge scores that are seen",
        inputs=ladder(
            rng,
            B=2,
            L=5,
            S=6,
            D=4,
            Dv=3,
            rows=(3, -3, 1, -2, 2),
            columns=(100, -100, 40, 70, -50, 0),
        )
        | {"padding_mask": bits("111111", "001110")},
        rule=LARGE,
        note="Visible scores up to 10 000 in float32, and rows on very different scales.",
    )
    yield Case(
        "huge scores and no mask",
        inputs=ladder(
            rng, B=2, L=4, S=5, D=6, Dv=3, rows=(3, -2, 1, -3), columns=(80, -100, 40, 100, -60)
        ),
        rule=LARGE,
        note="Without any mask scores up to 10 000 are no less huge.",
    )
    yield Case(
        "both ends of the range",
        inputs=ladder(
            rng, B=2, L=3, S=4, D=5, Dv=6, rows=(3.125, -3.125, 3), columns=(99, 99.99, 99.5, 98.5)
        ),
        rule=LARGE,
        note="All scores of a row lie close to 10 000, or close to -10 000.",
    )
    yield Case(
        "one key with a huge score",
        inputs=ladder(rng, B=3, L=2, S=1, D=4, Dv=5, rows=(3.125, -3.125), columns=(99.99,)),
        rule=LARGE,
        note="A single key; its scores are near 10 000 and -10 000.",
    )
    yield Case(
        "the only visible key scores -10 000",
        inputs=ladder(
            rng,
            B=2,
            L=3,
            S=5,
            D=4,
            Dv=6,
            rows=(3.125, 1, -3.125),
            columns=(-99.99, 90, 40, 99.99, 70),
        )
        | {"padding_mask": bits("10000", "00010")},
        rule=LARGE,
        note="One real key in each sequence; what is hidden scores higher or lower, and does not count.",
    )
    yield Case(
        "causal, the first key scores -10 000",
        inputs=ladder(
            rng, B=2, L=4, S=4, D=3, Dv=5, rows=(3.125, -3, 2, 1), columns=(-99.99, 75, 60, 99.99)
        ),
        options={"causal": True},
        rule=LARGE,
        same="The first query sees a single key.",
        note="The first query sees a single key, with a very low score; the future scores high.",
    )
    yield Case(
        "every score near -40",
        inputs=ladder(
            rng, B=2, L=3, S=4, D=6, Dv=5, rows=(1, 0.95, 1.02), columns=(-1.25, -1.2, -1.3, -1.22)
        ),
        rule=LARGE,
        note="All scores lie near -40, and their differences are ordinary.",
    )
    yield Case(
        "one sequence, numbers for vectors",
        inputs=tensors(rng, B=1, L=3, S=4, D=1, Dv=1),
        rule=ONE,
        same="B = D = Dv = 1: one sequence, vectors one number wide",
        note="One sequence, whose vectors are one number wide.",
    )
    yield Case(
        "two sequences, numbers for vectors",
        inputs=tensors(rng, B=2, L=3, S=4, D=1, Dv=1),
        rule=ONE,
        same="D = Dv = 1: vectors one number wide",
        note="Two sequences, whose vectors are one number wide.",
    )
    yield Case(
        "queries of one number",
        inputs=tensors(rng, B=2, L=3, S=4, D=1, Dv=5),
        rule=ONE,
        note="D = 1, and the values are wider.",
    )
    yield Case(
        "two queries, one key",
        inputs=tensors(rng, B=3, L=2, S=1, D=4, Dv=5),
        rule=ONE,
        note="With a single key its weight is 1.",
    )
    yield Case(
        "cancelling values in float64",
        inputs=cancelling(rng, B=2, L=3, pairs=4, D=6, Dv=5),
        rule=PRECISION,
        note="Double precision: the large parts of the values cancel, and what is left shows each rounding.",
    )
    yield Case(
        "inputs stay as they were",
        inputs=double(tensors(rng, B=2, L=3, S=5, D=6, Dv=4))
        | {"padding_mask": bits("11101", "01110")},
        options={"causal": True},
        wants=("after.q", "after.k", "after.v", "after.padding_mask"),
        rule=INPUTS,
        note="The caller still needs the arrays that were passed in. The numbers are float64.",
    )
    yield Case(
        "strided and read-only inputs",
        inputs=tensors(rng, B=2, L=4, S=6, D=5, Dv=3) | {"padding_mask": bits("110111", "011010")},
        layout={"q": "strided", "k": "readonly", "v": "strided", "padding_mask": "readonly"},
        rule=VIEWS,
        note="Views into larger arrays, and arrays that may not be written to.",
    )
    yield Case(
        "gradients",
        inputs=tensors(rng, B=3, L=4, S=6, D=5, Dv=2),
        wants=("grad.q", "grad.k", "grad.v"),
        rule=GRADIENTS,
        note="In PyTorch gradients flow through both results to all three inputs.",
    )
    yield Case(
        "gradients where a query sees nothing",
        inputs=hidden_far_above(tensors(rng, B=3, L=4, S=6, D=5, Dv=2))
        | {"padding_mask": bits("101111", "000001", "000000")},
        options={"causal": True},
        wants=("grad.q", "grad.k"),
        rule=GRADIENTS,
        note="In PyTorch the gradients are finite, also where a query sees nothing, or a single key with a"
        " low score.",
    )
    yield Case(
        "gradient of v where a query sees nothing",
        inputs=tensors(rng, B=2, L=3, S=5, D=4, Dv=6) | {"padding_mask": bits("10111", "00000")},
        wants=("grad.v",),
        rule=NOTHING,
        note="In PyTorch: a query that sees nothing adds nothing to the gradient of v.",
    )
    yield Case(
        "long left padding",
        inputs=tensors(rng, B=2, L=3, S=150, D=4, Dv=5)
        | {"padding_mask": np.arange(150) >= rng.integers(129, 140, (2, 1))},
        rule=HIDES_KEYS,
        note="A hundred and more places of padding stand before the words.",
    )
    padded = cancelling(rng, B=2, L=3, pairs=4, D=7, Dv=5)
    padded["padding_mask"] = np.arange(8) < 2 * rng.permutation([2, 4])[:, None]  # whole pairs
    yield Case(
        "cancelling values in float64, with padding",
        inputs=padded,
        rule=PRECISION,
        note="Double precision once more, now with a padding mask.",
    )
    yield Case(
        "cancelling values in float64, causal",
        inputs=cancelling(rng, B=3, L=1, pairs=4, D=6, Dv=5),
        options={"causal": True},
        rule=PRECISION,
        note="Double precision once more, in one step of decoding: the newest position looks back at all.",
    )


def tensors(rng, B, L, S, D, Dv, digits=None):
    """q, k and v with scaled scores whose spread is about 1.5; rounded where people read them."""
    q = 1.5 * rng.standard_normal((B, L, D))
    k = rng.standard_normal((B, S, D))
    v = rng.standard_normal((B, S, Dv))
    if digits is not None:
        q, k, v = (np.round(x, digits) + 0.0 for x in (q, k, v))
    return {"q": q.astype(np.float32), "k": k.astype(np.float32), "v": v.astype(np.float32)}


def hidden_far_above(inputs):
    """In sequence 1 the last query scores 56 with the first key and -56 with the last."""
    q, k, _ = inputs.values()
    q[1, 3], k[1, 0], k[1, 5] = 5, 5, -5
    return inputs


def padding(rng, B, S):
    """A mask of its own for each sequence, which hides some of the keys and not all."""
    return rng.permuted(np.arange(S) < rng.integers(1, S, (B, 1)), axis=1)


def double(inputs):
    """The same numbers in float64."""
    return {name: x.astype(np.float64) for name, x in inputs.items()}


def small_numbers(inputs):
    """Scores as before from small keys, and small values; one query, one key and one column of the
    values are 0, and one query is faint. Powers of two round nothing.
    """
    q, k, v = inputs.values()
    q[..., 1, :], q[..., 2, :], q[..., 0, 0] = 0, q[..., 2, :] / 2**15, 0
    k[..., 1, :], k[..., 0, 1] = 0, k[..., 0, 1] / 2**6
    v[..., 0], v[..., -1] = 0, v[..., -1] / 2**4
    return {"q": q * 2**10, "k": k / 2**10, "v": v / 2**12}


def large_numbers(inputs):
    """Large keys and values. One key scores 10 more than the others and has the value 0, so that
    the output is made of weights below 1e-4. Powers of two round nothing.
    """
    q, k, v = inputs.values()
    q /= 8
    q[..., 0], k[..., 0], k[:, 1], v[:, 1] = 2, 0, 0, 0
    k[:, 1, 0] = 5 * k.shape[-1] ** 0.5
    return {"q": q / 2**16, "k": k * 2**16, "v": v * 2**16}


def cancelling(rng, B, L, pairs, D, Dv):
    """Keys in pairs: the weight of the second is `ratio` times that of the first, and values near
    1e5 cancel in the output but for about 1. A rounding to float32 anywhere leaves more than 1e-4
    of that. Every score has the same large part, which a softmax ignores.
    """
    q = 1.5 * rng.standard_normal((B, L, D))
    k = np.repeat(rng.standard_normal((B, pairs, D)), 2, axis=1)
    v = rng.standard_normal((B, 2 * pairs, Dv))
    ratio = rng.uniform(1.5, 3, (B, pairs, 1))
    q[..., -2:] = np.sqrt(D) * np.array([17.3, 1])
    k[..., -2:] = [18.7, 0]
    k[:, 1::2, -1:] = np.log(ratio)
    large = 1e5 * rng.standard_normal((B, pairs, Dv))
    v[:, ::2] += large
    v[:, 1::2] -= large / ratio
    return {"q": q, "k": k, "v": v}


def ladder(rng, B, L, S, D, Dv, rows, columns):
    """q and k whose scaled scores are about 32 * rows[i] * columns[j]: far apart, so each softmax
    has one clear winner.
    """
    q = rng.uniform(-0.5, 0.5, (B, L, D))
    k = rng.uniform(-0.5, 0.5, (B, S, D))
    q[..., 0] = 8 * np.array(rows)
    k[..., 0] = 4 * np.sqrt(D) * np.array(columns)[np.newaxis]
    v = rng.standard_normal((B, S, Dv))
    return {"q": q.astype(np.float32), "k": k.astype(np.float32), "v": v.astype(np.float32)}


def bits(*rows):
    """A boolean mask written as text: 1 may be attended to."""
    return np.array([[bit == "1" for bit in row] for row in rows])


def domain(rng):
    """Any sizes and padding, with and without the causal rule, scaled scores up to 10 000."""
    for number in range(90):
        B, L, S, D, Dv = rng.choice([1, 1, 2, 3, 5], 5)
        q, k = up_to_the_ends(rng, rng.standard_normal((B, L, D)), rng.standard_normal((B, S, D)))
        dtype = rng.choice([np.float32, np.float64])
        inputs = {"q": q, "k": k, "v": 3 * rng.standard_normal((B, S, Dv))}
        inputs = {name: x.astype(dtype) for name, x in inputs.items()}
        if rng.random() < 0.7:
            inputs["padding_mask"] = rng.random((B, S)) < rng.choice([0, 0.5, 0.8, 1])
        options = [{}, {"causal": True}, {"causal": False}][rng.integers(3)]
        yield Case(str(number), inputs=inputs, options=options)


def up_to_the_ends(rng, q, k):
    """Queries and keys of any dtype; the largest scaled score is anything up to 10 000.

    Some have equal scores, some large ones that differ by little, some are zero.
    """
    style = rng.integers(5)
    if style == 0:
        q, k = np.round(q), np.round(k)
    if style == 1:
        k = k + 30
    if style == 2:
        q = q * rng.integers(0, 2, (*q.shape[:-1], 1))
    largest = np.abs(q @ k.swapaxes(-2, -1)).max() / np.sqrt(q.shape[-1])
    if rng.random() < 0.5:
        q = q * min(1e3, rng.choice([0.1, 30, 1000, 9_990]) / max(largest, 1e-3))
    return q, k
