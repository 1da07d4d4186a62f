from grader.case import Case

ALIGNED = "The triangle is aligned to the end"
NOTHING = "A query that sees nothing has an empty row"
NONE = "Without key_len there are as many keys as queries"
ONE = "Any size may be one"
LONG = "Any length"


def cases(rng):
    yield Case(
        "four words",
        options={"query_len": 4},
        sample=True,
        labels=("The", "cat", "sat", "down"),
        same="Without key_len there are as many keys as queries.",
        note="The usual triangle.",
    )
    yield Case(
        "two new words after three old ones",
        options={"query_len": 2, "key_len": 5},
        sample=True,
        rule=ALIGNED,
        note="Decoding with a cache: the queries are the last positions.",
    )
    yield Case(
        "three queries, two keys",
        options={"query_len": 3, "key_len": 2},
        sample=True,
        rule=NOTHING,
        note="The first query comes before every key.",
    )
    yield Case(
        "one by one",
        options={"query_len": 1},
        same="The smallest mask there is.",
        rule=ONE,
        note="The smallest mask there is.",
    )
    yield Case(
        "key_len is None",
        options={"query_len": between(rng, 5, 30), "key_len": None},
        same="None stands for as many keys as queries.",
        rule=NONE,
        note="None, said aloud.",
    )
    equal = between(rng, 5, 30)
    yield Case(
        "key_len equals query_len",
        options={"query_len": equal, "key_len": equal},
        same="Equal lengths, given on purpose.",
        rule=ALIGNED,
        note="Equal lengths, both given.",
    )
    yield Case(
        "one step of decoding",
        options={"query_len": 1, "key_len": between(rng, 5, 30)},
        rule=ONE,
        note="The newest position looks back at everything.",
    )
    queries = between(rng, 4, 30)
    yield Case(
        "one key more",
        options={"query_len": queries, "key_len": queries + 1},
        rule=ALIGNED,
        note="Lengths that differ by one.",
    )
    keys = between(rng, 4, 30)
    yield Case(
        "one query more",
        options={"query_len": keys + 1, "key_len": keys},
        rule=NOTHING,
        note="Lengths that differ by one, the other way round.",
    )
    keys = between(rng, 2, 16)
    yield Case(
        "many more queries",
        options={"query_len": 2 * keys + between(rng, 2, 31), "key_len": keys},
        rule=NOTHING,
        note="Most queries come before every key.",
    )
    yield Case(
        "many queries, one key",
        options={"query_len": between(rng, 4, 30), "key_len": 1},
        rule=NOTHING,
        note="Only the last query has anything to see.",
    )
    yield Case(
        "a long square",
        options={"query_len": between(rng, 130, 160)},
        same="Without key_len there are as many keys as queries.",
        rule=LONG,
        note="More positions than fit on a page.",
    )
    yield Case(
        "a long cache",
        options={"query_len": between(rng, 30, 50), "key_len": 4096 + between(rng, 8, 24)},
        rule=LONG,
        note="Some new words after thousands of old ones.",
    )
    yield Case(
        "more than a thousand queries",
        options={"query_len": 1024 + between(rng, 5, 30), "key_len": 1024 + between(rng, 35, 60)},
        rule=LONG,
        note="A long text after a few words.",
    )


def between(rng, least, most):
    return int(rng.integers(least, most + 1))


def domain(rng):
    """Every two small lengths, and larger ones."""
    lengths = [1, 2, 3, 5, 8, int(rng.integers(100, 600))]
    for L in lengths:
        yield Case(f"{L}", options={"query_len": L})
        for S in (*lengths, None):
            yield Case(f"{L}, {S}", options={"query_len": L, "key_len": S})
