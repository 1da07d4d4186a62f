"""Writing on: what the model reads, and when a text ends.

The model is exact: its memory is a whole number, and its scores are multiples of a quarter, so no
two words are as good by accident. A table is drawn until the texts end where a case wants it.
"""

import numpy as np

from grader.case import Case

CALLS = "No call is wasted"
STOP = "The stop token ends a text"
EACH = "Each text ends for itself"
PROMPT = "What the prompt holds ends nothing"
ZERO = "Token 0 may be the stop token"
LIMIT = "Never more than max_new"
EQUAL = "Of equal logits the lower index comes first"
LARGE = "Large logits"
ONE = "Any size may be one"
PRECISION = "Keeps precision"
ALONE = "Leaves its inputs alone"
VIEWS = "Takes views and read-only arrays"
NO_MEMORY = "Remembers nothing between calls"


def draw(rng, B, n, V, M):
    """Different scores in each row, around a number of its own, and none that exp cannot take."""
    scores = rng.permuted(np.tile(np.arange(V), (M, 1)), axis=1) + rng.integers(-9, 9, (M, 1))
    return {
        "prompt": rng.integers(0, V, (B, n)),
        "table": (scores / (4 if V < 100 else 32)).astype(np.float32),
    }


def written(inputs, most):
    """What the model of the driver would write without an end: for each text a list."""
    table, texts = inputs["table"], []
    for prompt in inputs["prompt"]:
        state, text = 0, []
        for token in prompt:
            state = (5 * state + token + 1) % len(table)
        for _ in range(most):
            text.append(int(table[state].argmax()))
            state = (5 * state + text[-1] + 1) % len(table)
        texts.append(text)
    return texts


def ends(inputs, most, stop):
    """The length of each text, its stop token included; `most + 1` if it never stops."""
    return [[*text, stop].index(stop) + 1 for text in written(inputs, most)]


def until(rng, sizes, most, stop, wanted):
    """Draws until the lengths of the texts are as wanted; the prompts hold no stop token."""
    while True:
        inputs = draw(rng, *sizes)
        if stop is not None:
            inputs["prompt"][inputs["prompt"] == stop] = (stop + 1) % sizes[2]
        if wanted(ends(inputs, most, stop)):
            return inputs


def varied(inputs, most):
    """Does no text repeat one word only?"""
    return all(len(set(text)) > 2 for text in written(inputs, most))


def case(rng, name, sizes, most, wanted=None, **rest):
    """`sizes` are B, n, V, M; `stop` and `pad_id` are options of the driver."""
    options = {"max_new": most}
    options |= {key: rest.pop(key) for key in ("stop", "pad_id") if key in rest}
    inputs = rest.pop("inputs", None)
    if inputs is None:
        wanted = wanted or (lambda lengths: True)
        inputs = until(rng, sizes, most, options.get("stop"), wanted)
    return Case(name, inputs=inputs, options=options, wants=rest.pop("wants", ("tokens",)), **rest)


def lively(rng, sizes, most):
    """Texts of several words each."""
    while True:
        inputs = draw(rng, *sizes)
        if varied(inputs, most):
            return inputs


def holding(rng, sizes, most, stop, places):
    """The prompts have the stop token at these places; no text comes to it."""
    while True:
        inputs = draw(rng, *sizes)
        inputs["prompt"][inputs["prompt"] == stop] = (stop + 1) % sizes[2]
        inputs["prompt"][:, places] = stop
        if min(ends(inputs, most, stop)) > most and varied(inputs, most):
            return inputs


def equals(rng, sizes, most):
    """In each row six words share the largest logit. In every second one it is 0, the first of the
    six has -0.0, and the text would be another if 0.0 were larger.
    """
    while True:
        inputs = lively(rng, sizes, most)
        table = inputs["table"]
        table[:] = np.minimum(table, np.sort(table, axis=1)[:, -6:-5])
        table[::2] -= table[::2].max(axis=1, keepdims=True)
        for row in table[::2]:
            first, *others = np.flatnonzero(row == 0)
            row[[first, *rng.permutation(others)[: rng.integers(4)]]] = -0.0
        by_sign = np.where((table == 0) & ~np.signbit(table), np.float32(0.1), table)
        texts = written(inputs, most)
        if varied(inputs, most) and texts != written({**inputs, "table": by_sign}, most):
            return inputs


def told_apart(rng, sizes, most, change, blur):
    """A lively table, changed; what `blur` makes of it would write something else."""
    while True:
        inputs = lively(rng, sizes, most)
        inputs["table"] = change(inputs["table"]).astype(np.float32)
        if written({**inputs, "table": blur(inputs["table"])}, most) != written(inputs, most):
            return inputs


def large_and_small(table):
    """Thousands; every second row is very near to 0 instead."""
    small = np.arange(len(table))[:, None] % 2 == 0
    return np.where(small, table * 1e-9, table * 1000 + 3000)


def stable_softmax(table):
    e = np.exp(table - table.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


def low_or_never(table):
    """Half of each row is minus infinity; in every second row all but one -10 000."""
    best = table == table.max(axis=1, keepdims=True)
    low = table < np.median(table, axis=1, keepdims=True)
    alone = np.arange(len(table))[:, None] % 2 == 0
    some = np.where(low, -np.inf, table - 9990)
    return np.where(alone, np.where(best, -10_000, -np.inf), some)


def cases(rng):
    yield case(
        rng,
        "five new words",
        None,
        5,
        inputs=lively(rng, (1, 2, 4, 13), 5),
        sample=True,
        note="The best word, and the best one after it.",
    )
    yield case(
        rng,
        "one text ends early",
        (2, 3, 4, 11),
        5,
        lambda lengths: sorted(lengths) == [2, 6],
        stop=1,
        sample=True,
        rule=EACH,
        note="One text has ended after two tokens and is filled up with zeros.",
    )
    yield case(
        rng,
        "seven new words",
        None,
        7,
        inputs=lively(rng, (3, 4, 6, 61), 7),
        layout=dict.fromkeys(("prompt", "table"), "transposed"),
        note="Three texts, and nothing stops them.",
    )
    yield case(
        rng,
        "101 new words",
        None,
        101,
        inputs=lively(rng, (2, 5, 7, 199), 101),
        note="A long text: a prime number of tokens.",
    )
    yield case(
        rng,
        "a large vocabulary",
        None,
        8,
        inputs=lively(rng, (3, 4, 1009, 61), 8),
        note="About a thousand words to choose from.",
    )
    yield case(
        rng,
        "a long prompt",
        None,
        4,
        inputs=lively(rng, (3, 211, 6, 61), 4),
        note="Two hundred tokens to read before the first word.",
    )
    yield case(
        rng,
        "what is read",
        (3, 5, 7, 61),
        6,
        wants=("read",),
        rule=CALLS,
        note="How many tokens every call was given.",
    )
    yield case(
        rng,
        "what is read of a single word",
        (4, 6, 5, 61),
        1,
        wants=("read",),
        rule=CALLS,
        note="One new token, and so one call.",
    )
    yield case(
        rng,
        "what is read until all have ended",
        (2, 4, 5, 61),
        20,
        lambda lengths: lengths == [9, 9],
        stop=3,
        wants=("read",),
        rule=CALLS,
        note="Both texts end long before `max_new`, at the same time.",
    )
    yield case(
        rng,
        "what is read where the first word ends it",
        (2, 7, 5, 61),
        6,
        lambda lengths: lengths == [1, 1],
        stop=2,
        wants=("read",),
        rule=CALLS,
        note="Both texts have ended after one new token.",
    )
    yield case(
        rng,
        "the text ends",
        (1, 4, 5, 61),
        12,
        lambda lengths: lengths[0] in (6, 7, 8),
        stop=int(rng.integers(1, 5)),
        rule=STOP,
        note="A single text ends before `max_new`.",
    )
    yield case(
        rng,
        "the first word ends it",
        (2, 4, 5, 61),
        6,
        lambda lengths: lengths == [1, 1],
        stop=int(rng.integers(1, 5)),
        rule=STOP,
        note="The very first new token is the stop token.",
    )
    yield case(
        rng,
        "the last word ends it",
        (1, 3, 4, 61),
        7,
        lambda lengths: lengths == [7],
        stop=2,
        rule=STOP,
        note="The stop token comes just when `max_new` is reached.",
    )
    yield case(
        rng,
        "texts of different lengths",
        (4, 3, 5, 61),
        20,
        lambda lengths: len(set(lengths)) == 4 and 6 <= max(lengths) <= 10,
        stop=2,
        rule=EACH,
        note="Each text ends elsewhere, and all before `max_new`.",
    )
    yield case(
        rng,
        "filled up with -1",
        (3, 5, 4, 61),
        8,
        lambda lengths: min(lengths) < 4 and max(lengths) == 9,
        stop=1,
        pad_id=-1,
        rule=EACH,
        note="Padding that is no word; at least one text goes on to `max_new`.",
    )
    yield case(
        rng,
        "filled up with a word",
        (5, 4, 6, 61),
        9,
        lambda lengths: min(lengths) < 4 and max(lengths) == 10,
        stop=4,
        pad_id=3,
        rule=EACH,
        note="Padding has the number of a word; at least one text goes on to `max_new`.",
    )
    yield case(
        rng,
        "filled up with the stop token",
        (4, 3, 5, 61),
        9,
        lambda lengths: min(lengths) < 4 and max(lengths) == 10,
        stop=2,
        pad_id=2,
        rule=EACH,
        note="Padding is the stop token itself; at least one text goes on to `max_new`.",
    )
    yield case(
        rng,
        "filled up with a large number",
        (5, 3, 4, 61),
        8,
        lambda lengths: min(lengths) < 4 and max(lengths) == 9,
        stop=3,
        pad_id=2**40,
        rule=EACH,
        note="Padding takes more than 32 bits; at least one text goes on to `max_new`.",
    )
    yield case(
        rng,
        "the prompt holds the stop token",
        None,
        9,
        inputs=holding(rng, (2, 5, 6, 61), 9, 4, [1, 3]),
        stop=4,
        rule=PROMPT,
        note="It stands between other tokens, and never comes again.",
    )
    yield case(
        rng,
        "the prompt ends with the stop token",
        None,
        8,
        inputs=holding(rng, (3, 6, 7, 61), 8, 5, [5]),
        stop=5,
        rule=PROMPT,
        note="It is the last token of the prompt, and never comes again.",
    )
    yield case(
        rng,
        "word 0 ends the text",
        (1, 5, 4, 61),
        11,
        lambda lengths: lengths[0] in (6, 7, 8),
        stop=0,
        pad_id=2,
        rule=ZERO,
        note="The stop token has the number 0.",
    )
    yield case(
        rng,
        "no new word",
        (3, 5, 4, 61),
        0,
        wants=("tokens", "read"),
        rule=LIMIT,
        note="Nothing is to be written, and so nothing to be read.",
    )
    yield case(
        rng,
        "a single new word",
        (4, 7, 5, 61),
        1,
        rule=LIMIT,
        note="One token for each text.",
    )
    yield case(
        rng,
        "several best words",
        None,
        8,
        inputs=equals(rng, (3, 5, 53, 61), 8),
        rule=EQUAL,
        note="In each row several words share the largest logit; where it is zero, with either sign.",
    )
    yield case(
        rng,
        "logits of thousands",
        None,
        7,
        inputs=told_apart(rng, (2, 4, 5, 61), 7, large_and_small, stable_softmax),
        rule=LARGE,
        note="Logits that exp cannot take, and others so near to 0 that it makes 1 of all of them.",
    )
    yield case(
        rng,
        "words that cannot come",
        None,
        8,
        inputs=told_apart(rng, (2, 5, 6, 61), 8, low_or_never, lambda t: np.maximum(t, -10_000)),
        rule=LARGE,
        note="Some logits are minus infinity, and the others very low: down to -10 000.",
    )
    yield case(
        rng,
        "one text",
        None,
        6,
        inputs=lively(rng, (1, 4, 5, 61), 6),
        rule=ONE,
        note="A batch of one.",
    )
    yield case(
        rng,
        "prompts of one token",
        None,
        6,
        inputs=lively(rng, (3, 1, 5, 61), 6),
        rule=ONE,
        note="A single token to begin with.",
    )
    near = lively(rng, (4, 5, 6, 61), 8)
    near["table"] = near["table"].astype(np.float64)
    near["table"][:, 0] = near["table"].max(axis=1) - 1e-12
    yield case(
        rng,
        "float64, ahead by a hair",
        None,
        8,
        inputs=near,
        rule=PRECISION,
        note="Double precision: word 0 is the best word, or a trillionth behind it.",
    )
    yield case(
        rng,
        "the prompt afterwards",
        (4, 3, 5, 61),
        6,
        wants=("after.prompt",),
        rule=ALONE,
        note="The caller still needs the prompt. Only it is looked at here.",
    )
    for B, kind, name, note in (
        (3, "strided", "views with gaps", "The arrays have gaps between their elements."),
        (4, "readonly", "read-only arrays", "In NumPy the inputs refuse to be written to."),
    ):
        yield case(
            rng,
            name,
            None,
            7,
            inputs=lively(rng, (B, 5, 6, 61), 7),
            layout=dict.fromkeys(("prompt", "table"), kind),
            rule=VIEWS,
            note=note,
        )
    again = lively(rng, (3, 4, 5, 61), 6)
    again["earlier"] = rng.integers(0, 5, (3, 4))
    yield case(
        rng,
        "a second prompt",
        None,
        6,
        inputs=again,
        rule=NO_MEMORY,
        note="Another prompt of the same shape was written on before.",
    )
    yield case(
        rng,
        "499 new words",
        (1, 4, 5, 61),
        499,
        cpu_factor=10,
        slow=True,
        rule=CALLS,
        note="Who has the model read everything again for each word takes nearly a hundred times as long.",
    )


def domain(rng):
    """Any sizes, limits, stop tokens and padding."""
    for number in range(60):
        B, n = map(int, rng.choice([1, 1, 2, 3, 5], 2))
        V = int(rng.integers(1, 7))
        inputs = draw(rng, B, n, V, int(rng.choice([7, 13, 31])))
        if rng.random() < 0.3:
            inputs["table"] = np.round(inputs["table"] / 2)
        if rng.random() < 0.3:
            inputs["table"] = inputs["table"] + 1e-9 * rng.standard_normal(V)
        options = {"max_new": int(rng.integers(0, 9)), "pad_id": int(rng.choice([0, -1, V, V - 1]))}
        if rng.random() < 0.7:
            options["stop"] = int(rng.integers(0, V))
        if rng.random() < 0.3:
            inputs["earlier"] = rng.integers(0, V, (B, n))
        yield Case(str(number), inputs=inputs, options=options)
