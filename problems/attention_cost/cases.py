from grader.case import Case


def flops(name, n, d, note, sample=False):
    return Case(name, call="attention_flops", options={"n": n, "d": d}, sample=sample, note=note)


def size(name, n, d, note, sample=False, **itemsize):
    return Case(
        name, call="attention_bytes", options={"n": n, "d": d, **itemsize}, sample=sample, note=note
    )


def cases(rng):
    yield flops("four tokens, operations", 4, 3, "Small enough to count by hand.", sample=True)
    yield size("four tokens, bytes", 4, 3, "Small enough to count by hand.", sample=True)

    yield flops(
        "a paragraph",
        int(rng.integers(200, 400)),
        int(rng.integers(50, 90)),
        "More tokens than columns.",
    )
    yield flops(
        "few and wide",
        int(rng.integers(3, 9)),
        int(rng.integers(500, 900)),
        "More columns than tokens.",
    )
    yield flops("one token", 1, int(rng.integers(5, 60)), "A single token still attends to itself.")
    yield flops("one column", int(rng.integers(20, 90)), 1, "The narrowest vectors there are.")
    book, width = int(rng.integers(60_000, 70_000)), int(rng.integers(50, 80))
    yield flops("a book", book, width, "So long that 32 bits cannot hold the count.")
    long = 10**8 + 2 * int(rng.integers(1, 500)) + 1
    yield flops("a library", long, 129, "So long that a float cannot hold the last digit.")

    yield size(
        "a paragraph, bytes",
        int(rng.integers(200, 400)),
        int(rng.integers(50, 90)),
        "More tokens than columns, in floats.",
    )
    yield size(
        "few and wide, bytes",
        int(rng.integers(3, 9)),
        int(rng.integers(500, 900)),
        "More columns than tokens.",
        itemsize=4,
    )
    yield size(
        "half precision",
        int(rng.integers(20, 90)),
        int(rng.integers(5, 15)),
        "Two bytes a number.",
        itemsize=2,
    )
    yield size(
        "double precision",
        int(rng.integers(20, 90)),
        int(rng.integers(5, 15)),
        "Eight bytes a number.",
        itemsize=8,
    )
    yield size(
        "one token, bytes", 1, int(rng.integers(5, 60)), "A single token has one score.", itemsize=2
    )
    yield size("a book, bytes", book, width, "A matrix that nobody could store here.")
    yield size(
        "a library, bytes",
        long,
        129,
        "So long that a float cannot hold the last digit.",
        itemsize=1,
    )
