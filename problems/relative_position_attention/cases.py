"""Relative position bias: the table is unit-normal times 1.5, so each of its entries moves the
weights.
"""

import numpy as np

from grader.case import Case


def normal(rng, *shape):
    return rng.normal(size=shape).astype(np.float32)


def tokens(rng, B, H, n, D):
    """Queries and keys whose scaled scores spread over about 1.7."""
    return {
        "q": normal(rng, B, H, n, D) * np.float32(1.3),
        "k": normal(rng, B, H, n, D) * np.float32(1.3),
        "v": normal(rng, B, H, n, D),
    }


def table(rng, H, m):
    return {"rel_pos_bias.weight": normal(rng, 2 * m + 1, H) * np.float32(1.5)}


def rounded(arrays):
    return {name: np.round(array, 1) + np.float32(0) for name, array in arrays.items()}


def case(rng, name, sizes, m, mask=None, **rest):
    _, H, _, D = sizes
    inputs = tokens(rng, *sizes) | ({} if mask is None else {"mask": mask})
    return Case(
        name,
        inputs=inputs,
        init={"d_model": H * D, "num_heads": H, "max_distance": m},
        state=table(rng, H, m),
        **rest,
    )


def pattern(*shape, shift=0):
    """A mask without luck: hides every third key of a row, beginning elsewhere for each example,
    head and query.
    """
    index = np.indices(shape)
    return (
        sum(i * (1 + axis % 2) for axis, i in enumerate(index, start=len(shape) % 2)) % 3 != shift
    )


def cases(rng):
    yield Case(
        "four tokens, distances up to one",
        inputs=rounded(tokens(rng, 1, 2, 4, 3)),
        init={"d_model": 6, "num_heads": 2, "max_distance": 1},
        state={
            "rel_pos_bias.weight": np.array(
                [[1.0, -2.0], [0.5, 0.0], [-1.0, 2.0]], dtype=np.float32
            )
        },
        sample=True,
        labels=("Time", "flies", "like", "arrows"),
        note="Head 0 likes what came before, head 1 what comes after.",
    )
    yield Case(
        "three tokens, each sees itself and what came before",
        inputs={**rounded(tokens(rng, 1, 2, 3, 4)), "mask": np.tri(3, dtype=bool)},
        init={"d_model": 8, "num_heads": 2, "max_distance": 2},
        state=rounded(table(rng, 2, 2)),
        sample=True,
        labels=("The", "cat", "sat"),
        note="A causal mask of shape (n, n), shared by all heads.",
    )
    yield case(
        rng,
        "longer than the table",
        (2, 3, 7, 4),
        2,
        note="Tokens further apart than max_distance share the outermost rows.",
    )
    yield case(
        rng,
        "longer than the table, other values",
        (2, 3, 7, 4),
        2,
        note="The same shapes again with other numbers: nothing may be remembered.",
    )
    yield case(
        rng,
        "the same length, another table",
        (2, 3, 7, 4),
        4,
        note="The same tokens' shape with a larger max_distance.",
    )
    yield case(
        rng,
        "shorter than the table",
        (2, 5, 3, 4),
        6,
        note="Many rows of the table belong to distances that do not occur.",
    )
    yield case(
        rng,
        "just as long as the table",
        (3, 2, 5, 7),
        4,
        note="The outermost distances occur exactly once in each direction.",
    )
    yield case(rng, "one head", (2, 1, 6, 5), 3, note="A table with a single column.")
    yield case(
        rng,
        "as many heads as tokens",
        (2, 4, 4, 3),
        2,
        same="H = n, so a table laid along the wrong axis does not show in the shape",
        note="Heads and tokens are equally many: does each head find its own column?",
    )
    yield case(
        rng,
        "a long sequence",
        (2, 3, 40, 4),
        5,
        note="Most pairs are further apart than the table reaches.",
    )
    yield case(
        rng,
        "one mask for everybody",
        (2, 3, 5, 4),
        2,
        pattern(5, 5),
        note="A mask of shape (n, n).",
    )
    padding = (np.arange(5) < np.array([5, 2, 3])[:, None])[:, None, None, :]
    yield case(
        rng,
        "padding, as many examples as heads",
        (3, 3, 5, 4),
        2,
        padding,
        same="B = H, so a mask of one example could be taken for that of one head",
        note="A mask of shape (B, 1, 1, n): does it belong to the example or to the head?",
    )
    yield case(
        rng,
        "a row of keys for each query",
        (2, 3, 5, 4),
        3,
        pattern(2, 1, 5, 5),
        note="A mask of shape (B, 1, n, n).",
    )
    yield case(
        rng,
        "one mask for each head",
        (2, 4, 5, 3),
        2,
        pattern(2, 4, 5, 5, shift=1),
        note="A mask of shape (B, H, n, n).",
    )
    blind = pattern(2, 1, 5, 5, shift=1)
    blind[0, 0, 1] = False
    blind[1, 0, 4] = False
    yield case(
        rng,
        "rows with no visible key",
        (2, 3, 5, 4),
        2,
        blind,
        note="One query of each example sees nothing at all.",
    )
    loud = case(
        rng, "loud keys behind the mask", (2, 3, 5, 4), 2, np.arange(5) < np.full((5, 1), 4)
    )
    loud.inputs["k"][..., 0] = 0.0
    loud.inputs["q"][..., 0] = 100.0
    loud.inputs["k"][..., -1, 0] = 300.0
    yield Case(
        loud.name,
        inputs=loud.inputs,
        init=loud.init,
        state=loud.state,
        note="The hidden key has scores of about 15000, and still counts for nothing.",
    )
    louder = case(
        rng,
        "keys near a thousand behind the mask",
        (2, 3, 5, 4),
        2,
        np.arange(5) < np.full((5, 1), 4),
    )
    louder.inputs["k"][..., 0] = 0.0
    louder.inputs["q"][..., 0] = 100.0
    louder.inputs["k"][..., -1, 0] = 20.0
    yield Case(
        louder.name,
        inputs=louder.inputs,
        init=louder.init,
        state=louder.state,
        note="The hidden key has scores of about a thousand: too much for exp, and less than many a penalty.",
    )
    low = case(
        rng, "visible scores near -10 000", (2, 3, 5, 4), 2, np.arange(5) < np.full((5, 1), 4)
    )
    low.inputs["q"][..., 0] = 100.0
    low.inputs["k"][..., 0] = -200.8 - (np.arange(5) + np.arange(3)[:, None]) % 4
    low.inputs["k"][..., -1, 0] = 0.0
    yield Case(
        low.name,
        inputs=low.inputs,
        init=low.init,
        state=low.state,
        note="What may be seen has very low scores, and what is hidden has ordinary ones.",
    )
    high = case(rng, "scores near a thousand", (2, 3, 5, 4), 2)
    high.inputs["q"][..., 0] = np.array([40.0, 3.0], dtype=np.float32)[:, None, None]
    high.inputs["k"][..., 0] = np.array([48.0, 3.0], dtype=np.float32)[:, None, None]
    yield Case(
        high.name,
        inputs=high.inputs,
        init=high.init,
        state=high.state,
        note="Scores that exp cannot take in float32, high in one example and low in the other.",
    )
    double = case(rng, "float64", (2, 3, 5, 4), 2, pattern(5, 5, shift=1))
    yield Case(
        double.name,
        inputs={
            name: array.astype(np.float64) if array.dtype.kind == "f" else array
            for name, array in double.inputs.items()
        },
        init=double.init,
        state={name: array.astype(np.float64) for name, array in double.state.items()},
        note="The whole module in double precision.",
    )
    yield case(
        rng,
        "one token",
        (2, 3, 1, 4),
        2,
        note="The shortest sequence: its only weight is 1, whatever the bias.",
    )
    yield case(
        rng,
        "inputs stay as they were",
        (2, 3, 5, 4),
        2,
        pattern(2, 1, 5, 5, shift=2),
        wants=("output", "weights", "after.q", "after.k", "after.v", "after.mask"),
        note="The tensors of the caller are looked at again after the call.",
    )
    yield case(
        rng,
        "non-contiguous inputs",
        (3, 2, 5, 4),
        3,
        layout={"q": "strided", "k": "strided", "v": "strided"},
        note="The inputs are views with gaps between their elements.",
    )
    learned = ("output", "weights", "grad.q", "grad.k", "grad.v", "grad.rel_pos_bias.weight")
    yield case(
        rng,
        "a second call",
        (2, 3, 5, 4),
        2,
        before=tokens(rng, 2, 3, 5, 4),
        note="The same module was called before with other tokens: nothing may be kept from that call.",
    )
    yield case(
        rng,
        "no mask, after a call with one",
        (2, 4, 5, 3),
        2,
        before={**tokens(rng, 2, 4, 5, 3), "mask": np.tri(5, dtype=bool)},
        note="The same module was called before with a mask. Now there is none.",
    )
    yield case(
        rng,
        "a mask, after a shorter sequence without one",
        (2, 3, 7, 4),
        2,
        pattern(7, 7),
        before=tokens(rng, 2, 3, 5, 4),
        note="The same module was called before with a shorter sequence and no mask.",
    )
    yield case(
        rng,
        "after a longer sequence",
        (2, 3, 4, 5),
        2,
        before=tokens(rng, 2, 3, 9, 5),
        note="The same module was called before with a longer sequence.",
    )
    yield case(
        rng,
        "train mode",
        (2, 3, 4, 5),
        2,
        train=True,
        note="Nothing here is random: train mode changes nothing.",
    )
    yield case(
        rng,
        "gradients",
        (2, 3, 6, 4),
        2,
        wants=learned,
        note="The inputs learn, and so does each entry of the table, from all pairs that share it.",
    )
    blind = pattern(2, 1, 5, 5)
    blind[1, 0, 2] = False
    yield case(
        rng,
        "gradients with a row that sees nothing",
        (2, 3, 5, 4),
        2,
        blind,
        wants=learned,
        note="The row with no visible key must not spoil the gradients of the others.",
    )
