"""Biases of ALiBi. Only the cases about heads have a number of them that is no power of two, and
only those about the alignment have more or fewer queries than keys, as far as sizes can differ.
"""

from grader.case import Case

HEADS = "Any number of heads"
ALIGNED = "Aligned to the end"
BOTH = "Both directions count"
ONE = "Any size may be one"
LONG = "Any length"


def between(rng, least, most):
    return int(rng.integers(least, most + 1))


def sizes(heads, queries, keys):
    return {"num_heads": heads, "query_len": queries, "key_len": keys}


def cases(rng):
    yield Case(
        "two heads, three words",
        options=sizes(2, 3, 3),
        sample=True,
        labels=("The", "cat", "sat"),
        same="three words look at each other: L = S",
        note="Slopes 1/16 and 1/256; a word is at distance 0 from itself.",
    )
    yield Case(
        "two new words",
        options=sizes(4, 2, 5),
        sample=True,
        rule=ALIGNED,
        note="The last word stands at the last key.",
    )
    yield Case(
        "three heads, two words",
        options=sizes(3, 2, 2),
        sample=True,
        rule=HEADS,
        same="two words look at each other: L = S",
        note="The slopes of two heads, and one between them.",
    )
    words = between(rng, 12, 40)
    yield Case(
        "eight heads",
        options=sizes(8, words, words),
        same="as many queries as keys: L = S",
        note="Slopes from 1/2 to 1/256.",
    )
    n = between(rng, 5, 30)
    yield Case(
        "sixteen heads",
        options=sizes(16, n, n),
        same="as many queries as keys: L = S",
        note="Slopes that are no powers of 1/2.",
    )
    n = between(rng, 20, 60)
    yield Case(
        "four heads, a longer text",
        options=sizes(4, n, n),
        same="as many queries as keys: L = S",
        note="Distances of more than sixteen.",
    )
    n = between(rng, 9, 40)
    yield Case(
        "twelve heads",
        options=sizes(12, n, n),
        rule=HEADS,
        same="as many queries as keys: L = S",
        note="Eight slopes, and four between them.",
    )
    n = between(rng, 5, 9)
    yield Case(
        "one more than a power of two",
        options=sizes(257, n, n),
        rule=HEADS,
        same="as many queries as keys: L = S",
        note="A single slope between the others.",
    )
    n = between(rng, 10, 40)
    yield Case(
        "one less than a power of two",
        options=sizes(31, n, n),
        rule=HEADS,
        same="as many queries as keys: L = S",
        note="All slopes between the others, but one.",
    )
    n = between(rng, 9, 60)
    yield Case(
        "one head",
        options=sizes(1, n, n),
        rule=HEADS,
        same="as many queries as keys: L = S",
        note="A single head, which is nearly flat.",
    )
    yield Case(
        "fewer queries than keys",
        # as many keys as in the case of eight heads: a table that is kept for them has more rows
        options=sizes(8, between(rng, 3, 9), words),
        rule=ALIGNED,
        note="The queries are the last positions, as in decoding with a cache.",
    )
    yield Case(
        "more queries than keys",
        options=sizes(8, between(rng, 12, 40), between(rng, 3, 9)),
        rule=ALIGNED,
        note="Aligned to the end, the first queries stand before every key.",
    )
    yield Case(
        "one step of decoding",
        options=sizes(4, 1, between(rng, 9, 60)),
        rule=ALIGNED,
        note="The newest position looks back at all.",
    )
    n = between(rng, 7, 30)
    yield Case(
        "an odd number of words",
        options=sizes(2, 2 * n + 1, 2 * n + 1),
        rule=BOTH,
        same="as many queries as keys: L = S",
        note="The word in the middle has as many words before it as after it.",
    )
    yield Case(
        "one query, one key",
        options=sizes(2 ** between(rng, 1, 7), 1, 1),
        rule=ONE,
        same="a single query stands at a single key: L = S = 1",
        note="The only distance there is, in each head.",
    )
    yield Case(
        "one key",
        options=sizes(8, between(rng, 3, 40), 1),
        rule=ALIGNED,
        note="Every query looks at the same place.",
    )
    yield Case(
        "far into a long text",
        # distances that 16 bits cannot hold; the steepest head has biases below -10 000
        options=sizes(4, 2, between(rng, 66_000, 70_000)),
        rule=ALIGNED,
        note="Distances of tens of thousands.",
    )
    n = between(rng, 280, 320)
    yield Case(
        "hundreds of words",
        options=sizes(4, n, n),
        rule=LONG,
        same="as many queries as keys: L = S",
        note="Positions that do not fit in a byte.",
    )
    n = between(rng, 1000, 1030)
    yield Case(
        "a thousand words",
        options=sizes(1, n, n),
        slow=True,
        rule=LONG,
        same="as many queries as keys: L = S; one head is enough, and cheap",
        note="A distance of nearly a thousand.",
    )


def domain(rng):
    """Every small number of heads, and any lengths."""
    for heads in (*range(1, 18), 24, 31, 33, 48):
        for _ in range(3):
            lengths = [int(n) for n in rng.choice([1, 2, 3, 5, 9, 40], 2)]
            yield Case(f"{heads}, {lengths}, {_}", options=sizes(heads, *lengths))
