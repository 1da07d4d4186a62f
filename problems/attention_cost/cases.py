from grader.case import Case

ITEMSIZE = "Any number of bytes"
ONE = "Any size may be one"
LONG = "Works at any length"


def flops(name, n, d, note, sample=False, rule=""):
    return Case(
        name,
        call="attention_flops",
        options={"n": n, "d": d},
        sample=sample,
        rule=rule,
        note=note,
    )


def size(name, n, d, note, sample=False, rule="", **itemsize):
    return Case(
        name,
        call="attention_bytes",
        options={"n": n, "d": d, **itemsize},
        sample=sample,
        rule=rule,
        note=note,
    )


def cases(rng):
    yield flops("four tokens, operations", 4, 3, "Small enough to count by hand.", sample=True)
    yield size("four tokens, bytes", 4, 3, "Small enough to count by hand.", sample=True)

    many, few = int(rng.integers(200, 400)), int(rng.integers(3, 9))
    narrow, wide = int(rng.integers(50, 90)), int(rng.integers(500, 900))
    yield flops("a paragraph", many, narrow, "More tokens than columns.")
    yield flops("few and wide", few, wide, "More columns than tokens.")
    yield size("a paragraph, bytes", many + 1, narrow + 1, "More tokens than columns, in floats.")
    yield size("few and wide, bytes", few + 1, wide + 1, "More columns than tokens.")

    yield flops(
        "one token",
        1,
        int(rng.integers(5, 6000)),
        "n = 1: a single token still attends to itself.",
        rule=ONE,
    )
    yield flops(
        "one column", int(rng.integers(20, 9000)), 1, "d = 1: the narrowest vectors.", rule=ONE
    )
    yield size(
        "one token, bytes", 1, int(rng.integers(5, 6000)), "A single token has one score.", rule=ONE
    )
    yield size(
        "one column, bytes", int(rng.integers(20, 9000)), 1, "One number a vector.", rule=ONE
    )

    for name, itemsize, note in (
        ("a byte a number", 1, "The least there is."),
        ("half precision", 2, "Two bytes a number."),
        ("double precision", 8, "Eight bytes a number."),
    ):
        n, d = int(rng.integers(20, 90)), int(rng.integers(5, 15))
        yield size(name, n, d, note, rule=ITEMSIZE, itemsize=itemsize)

    book, width = int(rng.integers(60_000, 70_000)), int(rng.integers(50, 80))
    long = 10**8 + 2 * int(rng.integers(1, 500)) + 1
    yield flops("a book", book, width, "So long that 32 bits cannot hold the count.", rule=LONG)
    yield flops("a library", long, 129, "So long that a float loses the last digit.", rule=LONG)
    yield size("a book, bytes", book, width, "A matrix that nobody could store here.", rule=LONG)
    # more than 2^62 bytes: eight times or twice as many do not fit in 64 bits
    yield size(
        "a library, bytes", 11 * long, 129, "So long that a float loses the last digit.", rule=LONG
    )


def domain(rng):
    """Any n and d whose answer is at most 2^63 - 1, every itemsize."""
    for n in (1, 2, 3, 7, 100, 46_341, 65_537, 10**6 + 3, 10**8 + 7, 3 * 10**8 + 1):
        for d in (1, 2, 3, 8, 129, 1024):
            if 8 * n * (n + 4 * d) + 5 * n * n + 4 * n * n * d < 2**63:
                yield Case(f"{n}, {d}", call="attention_flops", options={"n": n, "d": d})
                for size in ({}, *({"itemsize": size} for size in (1, 2, 4, 8))):
                    options = {"n": n, "d": d, **size}
                    yield Case(f"{options}", call="attention_bytes", options=options)
