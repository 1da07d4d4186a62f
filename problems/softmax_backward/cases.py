import numpy as np

from grader.case import Case, in_float64

LEADING = "Any number of leading sizes"
ONE = "Any size may be one"
ZERO = "A weight of zero gets no gradient"
NOTHING = "A query that sees nothing gets zeros"
COST = "Costs little for many rows"
PRECISION = "Keeps precision"
ALONE = "Leaves its inputs alone"
VIEWS = "Takes views and read-only arrays"
NO_MEMORY = "Remembers nothing between calls"


def pair(rng, *shape, hidden=0.0, dtype=np.float32):
    """Weights of scores with a spread of 1, and gradients whose rows have means of their own."""
    scores = rng.standard_normal(shape)
    weights = np.exp(scores) * (rng.random(shape) >= hidden)
    total = weights.sum(axis=-1, keepdims=True)
    weights = weights / np.where(total == 0, 1, total)
    grad = rng.standard_normal(shape) + rng.uniform(0.5, 1.5, (*shape[:-1], 1))
    return {"weights": weights.astype(dtype), "grad_weights": grad.astype(dtype)}


def quarters(rng, *shape):
    """A row that people read: weights are multiples of 1/8 that sum to 1."""
    counts = np.stack(
        [
            1 + rng.multinomial(8 - shape[-1], np.full(shape[-1], 1 / shape[-1]))
            for _ in range(int(np.prod(shape[:-1])))
        ]
    )
    grad = np.round(rng.standard_normal(shape), 1) + 0.0
    return {
        "weights": (counts.reshape(shape) / 8).astype(np.float32),
        "grad_weights": grad.astype(np.float32),
    }


def second_row_hides_one(rng):
    inputs = quarters(rng, 2, 4)
    row = inputs["weights"][1]
    place = rng.integers(4)
    row[(place + 1) % 4] += row[place]
    row[place] = 0
    return inputs


def hidden_keys(rng, n, grad=1.0):
    """Each row hides another number of keys; their gradients are larger than all others."""
    inputs = pair(rng, 4, n)
    weights, grads = inputs.values()
    for row in range(4):
        places = rng.permutation(n)[: row + 1]
        weights[row, places] = 0
        weights[row] /= weights[row].sum()
        grads[row, places] = grad * rng.choice([-1, 1], row + 1)
    return inputs


def empty_rows(rng):
    inputs = pair(rng, 5, 7)
    inputs["weights"][rng.permutation(5)[:2]] = 0
    return inputs


def large_common_part(rng):
    """float64 gradients of about a million, of which only the differences matter. Weights and
    differences have digits that float32 does not keep.
    """
    inputs = pair(rng, 4, 1009, dtype=np.float64)
    inputs["grad_weights"] += 1e6 * rng.uniform(1, 2, (4, 1))
    return inputs


def cases(rng):
    yield Case(
        "one row",
        inputs=quarters(rng, 1, 3),
        sample=True,
        note="The plain definition.",
    )
    yield Case(
        "two rows, one key hidden",
        inputs=second_row_hides_one(rng),
        sample=True,
        rule=ZERO,
        note="A weight of 0 in the second row.",
    )
    yield Case("a table", inputs=pair(rng, 5, 4), note="Each row is a softmax of its own.")
    yield Case(
        "a wide table",
        inputs=pair(rng, 3, 11),
        layout={"weights": "transposed"},
        note="More weights than rows.",
    )
    still = pair(rng, 5, 9)
    still["grad_weights"][1] = still["grad_weights"][3, 4] = 0
    yield Case(
        "gradients of zero",
        inputs=still,
        note="One row has no gradient at all, another has none in one place.",
    )
    large = pair(rng, 4, 5)
    large["grad_weights"] *= np.float32(2**16)
    yield Case(
        "large gradients", inputs=large, note="Gradients far from 1; the result is as large."
    )
    small = pair(rng, 5, 3)
    small["grad_weights"] /= np.float32(2**16)
    yield Case(
        "small gradients", inputs=small, note="Gradients close to 0; the result is as small."
    )
    yield Case(
        "a square table",
        inputs=pair(rng, 6, 6),
        note="As many rows as weights: no shape tells which axis is which.",
    )
    sharp = pair(rng, 4, 7)
    sharp["weights"] = sharp["weights"] ** 3
    faint = np.arange(4), rng.integers(0, 7, 4)
    sharp["weights"][faint] = 0
    sharp["weights"][0] = np.where(np.arange(7) == (faint[1][0] + 1) % 7, 1, 2.0**-40)
    sharp["weights"] /= sharp["weights"].sum(axis=-1, keepdims=True)
    sharp["weights"][faint] = 2.0**-30
    sharp["grad_weights"][faint] = 2.0**30 * rng.uniform(1, 2, 4)
    yield Case(
        "sharp weights",
        inputs=sharp,
        note="In each row a few weights, or a single one, have almost all. One has almost nothing, and a gradient that makes up for it.",
    )
    yield Case(
        "1009 weights in a row",
        inputs=pair(rng, 3, 1009),
        note="Long rows, whose weights are small.",
    )
    yield Case("a vector", inputs=pair(rng, 7), rule=LEADING, note="No leading size: a single row.")
    yield Case(
        "batch and queries",
        inputs=pair(rng, 3, 3, 4),
        rule=LEADING,
        note="Two leading sizes, and they are equal.",
    )
    yield Case(
        "documents, batch, heads and queries",
        inputs=pair(rng, 2, 1, 3, 5, 4),
        layout={"weights": "strided"},
        rule=LEADING,
        note="Four leading sizes, and one of them is 1. weights is a view, as a transposition makes it.",
    )
    yield Case(
        "one row of a table",
        inputs=pair(rng, 1, 6),
        rule=ONE,
        note="A table of one row is a table.",
    )
    yield Case(
        "rows of one weight",
        inputs=pair(rng, 5, 1),
        rule=ONE,
        note="The only weight of a row is 1, whatever its score is.",
    )
    yield Case(
        "hidden keys",
        inputs=hidden_keys(rng, 6),
        rule=ZERO,
        note="Some weights of every row are 0.",
    )
    yield Case(
        "hidden keys with large gradients",
        inputs=hidden_keys(rng, 9, grad=1e4),
        rule=ZERO,
        note="The largest gradients stand where the weight is 0.",
    )
    yield Case(
        "rows of zeros",
        inputs=empty_rows(rng),
        rule=NOTHING,
        note="Two of the rows consist of zeros.",
    )
    yield Case(
        "131071 rows",
        inputs=pair(rng, 131_071, 17),
        memory_mib=112,
        cpu_factor=10,
        rule=COST,
        note="Many rows, little memory and little time.",
    )
    yield Case(
        "262139 short rows",
        inputs=pair(rng, 262_139, 3),
        cpu_factor=10,
        rule=COST,
        note="Twice as many rows of three weights: a step of Python for each takes too long.",
    )
    yield Case(
        "float64, gradients that cancel",
        inputs=large_common_part(rng),
        rule=PRECISION,
        note="What all gradients of a row have in common is large and cancels.",
    )
    yield in_float64(
        Case(
            "inputs afterwards",
            inputs=pair(rng, 3, 5),
            wants=("after.weights", "after.grad_weights"),
            rule=ALONE,
            note="The caller goes on using both arrays. Only they are looked at here.",
        )
    )
    yield Case(
        "read-only inputs",
        inputs=pair(rng, 4, 3),
        layout={"weights": "readonly", "grad_weights": "readonly"},
        rule=ALONE,
        note="The inputs refuse to be written to.",
    )
    yield Case(
        "views",
        inputs=pair(rng, 5, 6),
        layout={"weights": "strided", "grad_weights": "strided"},
        rule=VIEWS,
        note="The inputs have gaps between their entries, as slicing makes them.",
    )
    yield Case(
        "a second call",
        inputs=pair(rng, 6, 8),
        before=pair(rng, 6, 8),
        rule=NO_MEMORY,
        note="The second call has the shapes of the first, and other numbers.",
    )


def domain(rng):
    """Any shape, any number of zeros, gradients of any size, both dtypes."""
    for number in range(70):
        shape = tuple(rng.choice([1, 1, 2, 3, 5], rng.integers(1, 5)))
        dtype = rng.choice([np.float32, np.float64])
        inputs = pair(rng, *shape, hidden=rng.choice([0, 0.4, 0.8, 1]), dtype=dtype)
        inputs["grad_weights"] *= dtype(rng.choice([0, 0.01, 1, 1000]))
        yield Case(str(number), inputs=inputs)
