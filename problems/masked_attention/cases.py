import numpy as np

from grader.case import Case


def cases(rng):
    yield Case(
        "causal, three words",
        inputs=tensors(rng, B=2, L=3, S=3, D=4, Dv=5, digits=1),
        options={"causal": True},
        sample=True,
        labels=("The", "cat", "sat"),
        same="The queries and the keys are the same three words.",
        note="Each word looks at itself and at the words before it.",
    )
    yield Case(
        "padding, four words",
        inputs=tensors(rng, B=2, L=4, S=4, D=3, Dv=5, digits=1)
        | {"padding_mask": bits("1110", "1011")},
        sample=True,
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
        labels=("<pad>", "<pad>", "Hello", "world"),
        same="The queries and the keys are the same four words.",
        note="Both masks at once: the first queries see no key at all.",
    )
    yield Case(
        "no mask",
        inputs=tensors(rng, B=2, L=3, S=5, D=7, Dv=4),
        note="Without any mask this is plain attention.",
    )
    yield Case(
        "padding",
        inputs=tensors(rng, B=3, L=4, S=6, D=8, Dv=5)
        | {"padding_mask": bits("111100", "010111", "111111")},
        note="More keys than queries; padding at the end, in the middle and nowhere.",
    )
    yield Case(
        "padding, other values",
        inputs=tensors(rng, B=3, L=4, S=6, D=8, Dv=5)
        | {"padding_mask": bits("001111", "111101", "110001")},
        note="The same shapes as before with other values and another mask.",
    )
    yield Case(
        "causal",
        inputs=tensors(rng, B=2, L=6, S=6, D=5, Dv=3),
        options={"causal": True},
        same="As many queries as keys, as in the training of a decoder.",
        note="As many queries as keys, and no padding.",
    )
    yield Case(
        "causal, fewer queries than keys",
        inputs=tensors(rng, B=2, L=3, S=7, D=6, Dv=4),
        options={"causal": True},
        note="The queries are the last three positions, as in decoding with a cache.",
    )
    yield Case(
        "causal, fewer queries than keys, other values",
        inputs=tensors(rng, B=2, L=3, S=7, D=6, Dv=4),
        options={"causal": True},
        note="The same shapes as before with other values.",
    )
    yield Case(
        "causal, one query",
        inputs=tensors(rng, B=3, L=1, S=6, D=4, Dv=5),
        options={"causal": True},
        note="One step of decoding: the newest position looks back at all.",
    )
    yield Case(
        "causal, more queries than keys",
        inputs=tensors(rng, B=2, L=7, S=4, D=5, Dv=3),
        options={"causal": True},
        note="Aligned to the end, the first queries come before every key.",
    )
    yield Case(
        "both masks",
        inputs=tensors(rng, B=3, L=4, S=7, D=6, Dv=5)
        | {"padding_mask": bits("1101111", "0000001", "1110010")},
        options={"causal": True},
        note="Padding and causality together, with fewer queries than keys; some queries see nothing.",
    )
    yield Case(
        "one sequence is all padding",
        inputs=tensors(rng, B=3, L=2, S=5, D=4, Dv=6)
        | {"padding_mask": bits("11011", "00000", "10110")},
        note="A whole sequence of the batch has nothing to look at.",
    )
    yield Case(
        "as many sequences as queries",
        inputs=tensors(rng, B=3, L=3, S=5, D=4, Dv=6)
        | {"padding_mask": bits("11001", "01111", "11110")},
        same="The mask belongs to sequences, not to queries; here nothing but the meaning of the axes tells.",
        note="The batch is as large as the number of queries.",
    )
    yield Case(
        "padded keys that are queries too",
        inputs=tensors(rng, B=2, L=5, S=5, D=6, Dv=3) | {"padding_mask": bits("10110", "01101")},
        same="Self-attention: queries and keys are the same positions.",
        note="The mask says which positions may be looked at, not which may look.",
    )
    yield Case(
        "huge scores at hidden keys",
        inputs=ladder(
            rng, B=2, L=3, S=5, D=4, Dv=6, rows=(1, 2, 3), columns=(-30, -60, 100, -90, 95)
        )
        | {"padding_mask": bits("11010", "01010")},
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
        note="Visible scores up to 10 000 in float32, and rows on very different scales.",
    )
    yield Case(
        "huge scores and no mask",
        inputs=ladder(
            rng, B=2, L=4, S=5, D=6, Dv=3, rows=(3, -2, 1, -3), columns=(80, -100, 40, 100, -60)
        ),
        note="Without any mask scores up to 10 000 are no less huge.",
    )
    yield Case(
        "the only visible key scores -10 000",
        inputs=ladder(
            rng, B=2, L=3, S=5, D=4, Dv=6, rows=(3.125, 1, -3.125), columns=(-100, 90, 40, 100, 70)
        )
        | {"padding_mask": bits("10000", "00010")},
        note="One real key in each sequence; what is hidden scores higher or lower, and does not count.",
    )
    yield Case(
        "causal, the only visible key scores -10 000",
        inputs=ladder(
            rng, B=2, L=6, S=4, D=3, Dv=5, rows=(1, 2, 3.125, -3, 2, 1), columns=(-100, 90, 60, 100)
        ),
        options={"causal": True},
        note="The first query that sees anything sees a single key, with a very low score; the future scores high.",
    )
    yield Case(
        "sizes of one",
        inputs=tensors(rng, B=1, L=3, S=4, D=1, Dv=1) | {"padding_mask": bits("1011")},
        options={"causal": True},
        same="B = D = Dv = 1: one sequence, vectors one number wide",
        note="One sequence, whose vectors are one number wide.",
    )
    yield Case(
        "one query, one key",
        inputs=tensors(rng, B=2, L=1, S=1, D=4, Dv=3) | {"padding_mask": bits("1", "0")},
        options={"causal": True},
        same="The smallest case: one query and one key.",
        note="The smallest case, once seen and once hidden.",
    )
    yield Case(
        "float64",
        inputs=tensors(rng, B=2, L=5, S=8, D=6, Dv=3, dtype=np.float64)
        | {"padding_mask": bits("11110110", "00000011")},
        options={"causal": True},
        note="Double precision in, double precision out.",
    )
    yield Case(
        "inputs stay as they were",
        inputs=tensors(rng, B=2, L=3, S=5, D=6, Dv=4) | {"padding_mask": bits("11101", "01110")},
        options={"causal": True},
        wants=("output", "weights", "after.q", "after.k", "after.v", "after.padding_mask"),
        note="The caller still needs the arrays that were passed in.",
    )
    yield Case(
        "strided and read-only inputs",
        inputs=tensors(rng, B=2, L=4, S=6, D=5, Dv=3) | {"padding_mask": bits("110111", "011010")},
        options={"causal": True},
        layout={"q": "strided", "k": "readonly", "v": "strided", "padding_mask": "readonly"},
        note="Views into larger arrays, and arrays that may not be written to.",
    )
    yield Case(
        "gradients",
        inputs=tensors(rng, B=3, L=4, S=6, D=5, Dv=2)
        | {"padding_mask": bits("101111", "000001", "000000")},
        options={"causal": True},
        wants=("output", "weights", "grad.q", "grad.k", "grad.v"),
        note="In PyTorch gradients flow, and are finite where a query sees nothing.",
    )


def tensors(rng, B, L, S, D, Dv, digits=None, dtype=np.float32):
    """q, k and v with scaled scores whose spread is about 1.5; rounded where people read them."""
    q = 1.5 * rng.standard_normal((B, L, D))
    k = rng.standard_normal((B, S, D))
    v = rng.standard_normal((B, S, Dv))
    if digits is not None:
        q, k, v = (np.round(x, digits) + 0.0 for x in (q, k, v))
    return {"q": q.astype(dtype), "k": k.astype(dtype), "v": v.astype(dtype)}


def ladder(rng, B, L, S, D, Dv, rows, columns):
    """q and k whose scaled scores are about 32 * rows[i] * columns[j]: far apart, so each softmax
    has one clear winner.
    """
    q = rng.uniform(-0.5, 0.5, (B, L, D))
    k = rng.uniform(-0.5, 0.5, (B, S, D))
    q[..., 0] = 8 * np.array(rows)
    k[..., 0] = 8 * np.array(columns)[np.newaxis]
    v = rng.standard_normal((B, S, Dv))
    return {"q": q.astype(np.float32), "k": k.astype(np.float32), "v": v.astype(np.float32)}


def bits(*rows):
    """A boolean mask written as text: 1 may be attended to."""
    return np.array([[bit == "1" for bit in row] for row in rows])
