from grader.case import Case


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
        note="Decoding with a cache: the queries are the last positions.",
    )
    yield Case(
        "three queries, two keys",
        options={"query_len": 3, "key_len": 2},
        sample=True,
        note="The first query comes before every key.",
    )
    yield Case(
        "one by one",
        options={"query_len": 1},
        same="The smallest mask there is.",
        note="The smallest mask there is.",
    )
    yield Case(
        "key_len is None",
        options={"query_len": 6, "key_len": None},
        same="None stands for as many keys as queries.",
        note="None, said aloud.",
    )
    yield Case(
        "key_len equals query_len",
        options={"query_len": 7, "key_len": 7},
        same="Equal lengths, given on purpose.",
        note="Equal lengths, both given.",
    )
    yield Case(
        "one step of decoding",
        options={"query_len": 1, "key_len": 9},
        note="The newest position looks back at everything.",
    )
    yield Case(
        "one key more",
        options={"query_len": 5, "key_len": 6},
        note="Lengths that differ by one.",
    )
    yield Case(
        "one query more",
        options={"query_len": 6, "key_len": 5},
        note="Lengths that differ by one, the other way round.",
    )
    yield Case(
        "many more queries",
        options={"query_len": 9, "key_len": 3},
        note="Most queries come before every key.",
    )
    yield Case(
        "many queries, one key",
        options={"query_len": 4, "key_len": 1},
        note="Only the last query has anything to see.",
    )
    yield Case(
        "a long square",
        options={"query_len": 130},
        same="Without key_len there are as many keys as queries.",
        note="More positions than fit on a page.",
    )
    yield Case(
        "a long cache",
        options={"query_len": 40, "key_len": 300},
        note="Indices that do not fit in a byte.",
    )
