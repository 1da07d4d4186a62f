"""Cross-entropy: what counts, what divides, and what a probability of 0 must not do."""

import numpy as np

from grader.case import Case, in_float64

IGNORED = "Ignored targets count for nothing"
NOTHING = "Nothing left gives 0"
LARGE = "Large logits"
NEVER = "Minus infinity is a word that cannot come"
ONE = "Any size may be one"
PRECISION = "Keeps precision"
ALONE = "Leaves its inputs alone"
VIEWS = "Takes views and read-only arrays"
NO_MEMORY = "Remembers nothing between calls"
GRADIENTS = "Gradients flow"


def inputs(rng, N, V, ignored=0, index=-100):
    """Logits that spread over 2 around a number of each row; so many targets are ignored."""
    logits = 2 * rng.standard_normal((N, V)) + 3 * rng.standard_normal((N, 1))
    targets = rng.integers(0, V, N)
    if ignored:
        if 0 <= index < V:  # elsewhere the number is a word that does not come up
            targets = np.where(targets == index, (index + 1) % V, targets)
        targets[rng.permutation(N)[:ignored]] = index
        if 0 < index < V - 1:  # words below it and above it count
            targets[np.flatnonzero(targets != index)[:2]] = index - 1, index + 1
    return {"logits": logits.astype(np.float32), "targets": targets}


def with_the_word_behind(rng, arrays, index):
    """One of the places that count has the word at which this negative index points."""
    counted = np.flatnonzero(arrays["targets"] != index)
    arrays["targets"][rng.choice(counted)] = arrays["logits"].shape[1] + index
    return arrays


def rounded(arrays):
    return {**arrays, "logits": arrays["logits"].round(1) + np.float32(0)}


def one_word(rng, N):
    """Logits of which the logarithm undoes the exponential to the last digit."""
    logits = rng.choice([-1, 0], (N, 1)).astype(np.float32)
    return {"logits": logits, "targets": np.zeros(N, dtype=np.int64)}


def very_different_rows(rng, V):
    """Rows near 10 000, near -10 000 and near 0. In each, the target lies far below the best word:
    its probability is 0 in every float, its loss is not.
    """
    size = np.array([9_000, -9_000, 0])
    logits = 2 * rng.standard_normal((3, V)) + size[:, None]
    targets = rng.integers(0, V, 3)
    logits[range(3), targets] -= rng.uniform(800, 990, 3)
    return {"logits": logits.astype(np.float32), "targets": targets}


def as_low_as_can_be(rng, V):
    """As `very_different_rows`, and a row just above -10 000 beside words that cannot come."""
    arrays = very_different_rows(rng, V)
    low = rng.uniform(-9_999.5, -9_996, V)
    low[rng.permutation(V)[: V // 2]] = -np.inf
    target = rng.choice(np.flatnonzero(np.isfinite(low)))
    logits = np.append(arrays["logits"], low[None].astype(np.float32), axis=0)
    return {"logits": logits, "targets": np.append(arrays["targets"], target)}


def from_end_to_end(rng, N, V):
    """In each row, the target lies near -10 000 and the best word near 10 000."""
    logits = rng.uniform(-9_000, 9_000, (N, V))
    targets = rng.integers(0, V, N)
    logits[range(N), targets] = -rng.uniform(9_900, 9_999, N)
    logits[range(N), targets - 1] = rng.uniform(9_900, 9_999, N)
    return {"logits": logits.astype(np.float32), "targets": targets}


def some_impossible(rng, N, V):
    """In each row, another number of words is -inf, never the target."""
    arrays = inputs(rng, N, V)
    for row, target in enumerate(arrays["targets"]):
        others = rng.permutation(np.delete(np.arange(V), target))
        arrays["logits"][row, others[: row % (V - 1) + 1]] = -np.inf
    return arrays


def among_a_thousand(arrays):
    """A thousand words that cannot come stand before the words of every second row, and behind those
    of the others.
    """
    logits = [
        np.pad(row, (0, 1024) if i % 2 else (1024, 0), constant_values=-np.inf)
        for i, row in enumerate(arrays["logits"])
    ]
    behind = np.arange(len(logits)) % 2 == 0
    return {"logits": np.stack(logits), "targets": arrays["targets"] + 1024 * behind}


def all_ignored(arrays):
    return {**arrays, "targets": np.full_like(arrays["targets"], -100)}


def between_floats(rng, N, V):
    """float64 logits near 650. In float32 the target is rounded down and every other word up, by
    nearly half of the distance between two numbers. The target has nine tenths of the probability.
    """
    logits = (650 + rng.uniform(-0.5, 0.5, (N, V))).astype(np.float32).astype(np.float64)
    targets = rng.integers(0, V, N)
    logits -= 2.8e-5
    others = np.exp(logits - 650)
    others[range(N), targets] = 0
    best = np.log(9 * others.sum(axis=-1)) + 650
    logits[range(N), targets] = best.astype(np.float32) + 2.8e-5
    return {"logits": logits, "targets": targets}


def loss(name, arrays, options=None, **rest):
    return Case(name, call="cross_entropy", inputs=arrays, options=options or {}, **rest)


def grad(name, arrays, options=None, **rest):
    return Case(name, call="cross_entropy_backward", inputs=arrays, options=options or {}, **rest)


def cases(rng):
    yield loss(
        "three places",
        rounded(inputs(rng, 3, 4)),
        sample=True,
        note="The plain definition: how much probability did the right words get?",
    )
    yield grad(
        "the gradient of two places",
        rounded(inputs(rng, 2, 3)),
        sample=True,
        note="Probability minus truth, divided by the number of places.",
    )
    yield loss(
        "one of three places is padding",
        rounded(inputs(rng, 3, 5, ignored=1)),
        sample=True,
        rule=IGNORED,
        note="Two places count.",
    )
    layout = {"logits": "transposed"}
    yield loss("seven places", inputs(rng, 7, 5), layout=layout, note="More places than words.")
    yield grad(
        "the gradient of seven places",
        inputs(rng, 7, 5),
        layout=layout,
        note="More places than words.",
    )
    yield loss("1009 words", inputs(rng, 4, 1009), note="A vocabulary of a thousand words.")
    yield grad(
        "the gradient over 1009 words",
        inputs(rng, 4, 1009),
        note="A vocabulary of a thousand words: every one of them has a gradient.",
    )
    yield loss("1009 places", inputs(rng, 1009, 6), note="A prime number of places.")
    same = inputs(rng, 6, 8)
    same["targets"][:] = same["targets"][0]
    yield grad("one target for all", same, note="All places have the same target.")
    even = inputs(rng, 5, 4)
    even["logits"][:] = even["logits"][:, :1]
    yield loss("nothing is known", even, note="All words are equally likely.")
    sure = inputs(rng, 5, 9)
    sure["logits"][:] = rng.uniform(-11.5, -11.3, (5, 9))
    sure["logits"][range(5), sure["targets"]] = 0
    yield loss("sure and right", sure, note="The right words leave little to lose: below 1e-4.")
    yield loss(
        "some targets are ignored",
        inputs(rng, 8, 6, ignored=3),
        rule=IGNORED,
        note="Padding lies anywhere between the other places.",
    )
    yield grad(
        "the gradient where some are ignored",
        inputs(rng, 8, 6, ignored=3),
        rule=IGNORED,
        note="The rows of ignored places stay 0, and the others share the whole.",
    )
    yield loss(
        "-100 in a large vocabulary",
        with_the_word_behind(rng, inputs(rng, 5, 131, ignored=2), -100),
        rule=IGNORED,
        note="With more than a hundred words, -100 is an index that NumPy and PyTorch accept: that of "
        "a word that counts here.",
    )
    yield grad(
        "the gradient where padding is -1",
        with_the_word_behind(rng, inputs(rng, 8, 5, ignored=3, index=-1), -1),
        {"ignore_index": -1},
        rule=IGNORED,
        note="The ignored target is -1, and the last word is not ignored.",
    )
    yield loss(
        "word 0 is padding",
        inputs(rng, 7, 4, ignored=3, index=0),
        {"ignore_index": 0},
        rule=IGNORED,
        note="The ignored target is the number of a word.",
    )
    yield loss(
        "padding beyond the vocabulary",
        inputs(rng, 9, 4, ignored=3, index=2**40 + 1),
        {"ignore_index": 2**40 + 1},
        rule=IGNORED,
        note="The ignored target is no word, and takes more than 32 bits.",
    )
    certain = inputs(rng, 10, 3, ignored=4)
    certain["logits"][certain["targets"] == -100, 0] = -np.inf
    yield loss(
        "word 0 cannot come where the target is ignored",
        certain,
        rule=IGNORED,
        note="In the rows that count for nothing, the first logit is minus infinity.",
    )
    for word in (0, 1):
        yield grad(
            f"the gradient where word {word} is padding",
            inputs(rng, 7 + word, 4, ignored=3, index=word),
            {"ignore_index": word},
            rule=IGNORED,
            note="The ignored target is the number of a word, which still has a probability.",
        )
    yield loss(
        "every target is ignored",
        all_ignored(some_impossible(rng, 5, 7)),
        rule=NOTHING,
        note="There is nothing to take a mean of. Some words cannot come.",
    )
    yield grad(
        "the gradient where every target is ignored",
        inputs(rng, 5, 7, ignored=5),
        rule=NOTHING,
        note="There is nothing to learn.",
    )
    yield loss(
        "certain and wrong, far from zero",
        as_low_as_can_be(rng, 9),
        rule=LARGE,
        note="Rows near 9 000, -9 000 and 0, with targets far below the best word, and one near "
        "-10 000 beside minus infinity.",
    )
    yield loss(
        "certain and wrong, from end to end",
        from_end_to_end(rng, 2, 7),
        rule=LARGE,
        note="The targets lie near -10 000, and the best words near 10 000.",
    )
    yield grad(
        "the gradient, far from zero",
        as_low_as_can_be(rng, 9),
        rule=LARGE,
        note="Rows near 9 000, -9 000 and 0, and one near -10 000 beside minus infinity.",
    )
    high = inputs(rng, 4, 7)
    high["logits"] += np.float32(200)
    yield loss(
        "all logits near two hundred",
        high,
        rule=LARGE,
        note="All rows are of one size, which exp cannot take in float32.",
    )
    far = inputs(rng, 9, 11)
    far["logits"] -= np.float32(1500)
    yield loss(
        "every logit far below zero",
        far,
        rule=LARGE,
        note="The largest logit of each row is below -1000.",
    )
    faint = inputs(rng, 8, 12)
    faint["logits"] = (2 * rng.standard_normal((8, 12)) - 40).astype(np.float32)
    yield loss(
        "every logit near -40",
        faint,
        rule=LARGE,
        note="All logits lie near -40, and their differences are ordinary.",
    )
    yield loss(
        "some words cannot come",
        among_a_thousand(some_impossible(rng, 5, 6)),
        rule=NEVER,
        note="Logits of minus infinity beside ordinary ones, a thousand of them together.",
    )
    yield grad(
        "the gradient where some words cannot come",
        among_a_thousand(some_impossible(rng, 5, 6)),
        rule=NEVER,
        note="Logits of minus infinity beside ordinary ones, a thousand of them together.",
    )
    yield loss("one place", inputs(rng, 1, 6), rule=ONE, note="A mean of one number.")
    yield grad("the gradient of one place", inputs(rng, 1, 6), rule=ONE, note="A table of one row.")
    yield loss(
        "a vocabulary of one word",
        one_word(rng, 3),
        rule=ONE,
        note="There is only one word, and nobody is surprised.",
    )
    yield grad(
        "the gradient in a vocabulary of one word",
        one_word(rng, 4),
        rule=ONE,
        note="There is only one word, and nothing to learn.",
    )
    yield loss(
        "float64, between two numbers of float32",
        between_floats(rng, 3, 7),
        rule=PRECISION,
        note="Double precision: logits near 650, of which float32 keeps four decimals.",
    )
    yield in_float64(
        loss(
            "float64, and every target is ignored",
            inputs(rng, 2, 6, ignored=2),
            rule=PRECISION,
            note="Double precision: a loss of nothing has a dtype, too.",
        )
    )
    yield grad(
        "the gradient in float64",
        between_floats(rng, 3, 7),
        rule=PRECISION,
        note="Double precision: logits near 650, of which float32 keeps four decimals.",
    )
    after = ("after.logits", "after.targets")
    yield in_float64(
        loss(
            "the inputs afterwards",
            inputs(rng, 6, 9, ignored=2),
            wants=after,
            rule=ALONE,
            note="The caller still needs its arrays. Only they are looked at here.",
        )
    )
    yield grad(
        "the inputs after the gradient",
        inputs(rng, 6, 9, ignored=2),
        wants=after,
        rule=ALONE,
        note="The caller still needs its arrays. Only they are looked at here.",
    )
    layout = dict.fromkeys(("logits", "targets"), "readonly")
    yield loss(
        "read-only inputs",
        inputs(rng, 4, 6),
        layout=layout,
        rule=ALONE,
        note="In NumPy the inputs refuse to be written to.",
    )
    yield grad(
        "read-only inputs of the gradient",
        inputs(rng, 4, 6),
        layout=layout,
        rule=ALONE,
        note="In NumPy the inputs refuse to be written to.",
    )
    layout = dict.fromkeys(("logits", "targets"), "strided")
    yield loss(
        "views",
        inputs(rng, 6, 4),
        layout=layout,
        rule=VIEWS,
        note="The arrays have gaps between their elements.",
    )
    yield grad(
        "views for the gradient",
        inputs(rng, 6, 4),
        layout=layout,
        rule=VIEWS,
        note="The arrays have gaps between their elements.",
    )
    yield loss(
        "a second call",
        inputs(rng, 9, 5),
        before=inputs(rng, 9, 5),
        rule=NO_MEMORY,
        note="The second call has the shapes of the first, and other numbers.",
    )
    yield grad(
        "a second gradient",
        inputs(rng, 9, 5),
        before=inputs(rng, 9, 5),
        rule=NO_MEMORY,
        note="The second call has the shapes of the first, and other numbers.",
    )
    yield loss(
        "gradients",
        inputs(rng, 8, 3),
        wants=("grad.logits",),
        rule=GRADIENTS,
        note="In PyTorch the logits learn from the loss.",
    )
    yield loss(
        "gradients where every target is ignored",
        inputs(rng, 3, 4, ignored=3),
        wants=("grad.logits",),
        rule=GRADIENTS,
        note="In PyTorch a loss of nothing has a gradient of zeros.",
    )
    nothing = some_impossible(rng, 4, 9)
    for row, target in enumerate(nothing["targets"]):  # exp of it is 0 in float32
        nothing["logits"][row, (target + 1) % 9] = -200
    yield loss(
        "gradients where a probability is 0",
        nothing,
        wants=("grad.logits",),
        rule=GRADIENTS,
        note="In PyTorch the gradients are finite, also where words cannot come, or hardly can.",
    )
    beyond = 2**40 + 1
    padded = inputs(rng, 9, 5, ignored=3, index=beyond)
    padded["targets"][np.flatnonzero(padded["targets"] != beyond)[0]] = 1  # its last 32 bits
    yield grad(
        "the gradient where padding is beyond the vocabulary",
        padded,
        {"ignore_index": beyond},
        rule=IGNORED,
        note="The ignored target is no word, and takes more than 32 bits.",
    )
    yield in_float64(
        grad(
            "the gradient in float64 where every target is ignored",
            inputs(rng, 2, 6, ignored=2),
            rule=PRECISION,
            note="Double precision: a gradient of zeros has a dtype, too.",
        )
    )
    faint = inputs(rng, 8, 13)
    faint["logits"] = (2 * rng.standard_normal((8, 13)) - 40).astype(np.float32)
    yield grad(
        "the gradient where every logit is near -40",
        faint,
        rule=LARGE,
        note="All logits lie near -40, and their differences are ordinary.",
    )


def domain(rng):
    """Any sizes, both dtypes, logits from -10 000 to 10 000 and -inf, any word ignored."""
    for number in range(70):
        N, V = map(int, rng.choice([1, 1, 2, 3, 5, 8], 2))
        logits = rng.choice([0.1, 2, 30, 2000]) * rng.standard_normal((N, V))
        logits = np.clip(logits + rng.choice([0, 0, 600, -600, 9000, -9000]), -10_000, 10_000)
        targets = rng.integers(0, V, N)
        index = int(rng.choice([-100, -1, 0, V - 1]))
        targets[rng.random(N) < rng.choice([0, 0.3, 1])] = index
        if rng.random() < 0.3:
            hidden = rng.random((N, V)) < 0.4
            hidden[:, 0] = False
            hidden[range(N), np.clip(targets, 0, V - 1)] = False
            logits[hidden] = -np.inf
        arrays = {"logits": logits.astype(rng.choice([np.float32, np.float64])), "targets": targets}
        make = (loss, grad)[number % 2]
        yield make(str(number), arrays, {"ignore_index": index} if index != -100 else {})
