from grader.case import Case

MULTIPLES = "Landmarks stand at every multiple of the stride"
STRIDE_ONE = "With stride 1 everybody is a landmark"
PAST = "A stride may reach past the text"
ONE = "Any size may be one"
LONG = "Any length"


def cases(rng):
    yield Case(
        "six words, stride 2",
        options={"n": 6, "stride": 2},
        sample=True,
        labels=("The", "cat", "sat", "on", "the", "mat"),
        note="Landmarks at 0, 2 and 4.",
    )
    yield Case(
        "nine positions, stride 3",
        options={"n": 9, "stride": 3},
        sample=True,
        note="Landmarks at 0, 3 and 6.",
    )
    # shared by three lengths, the last one long: what is kept for a stride lacks its landmarks
    stride, landmarks = between(rng, 5, 7), between(rng, 4, 8)
    yield Case(
        "ending on a landmark",
        options={"n": (landmarks - 1) * stride + 1, "stride": stride},
        rule=MULTIPLES,
        note="The last position is a landmark.",
    )
    # of all strides below 98 only 49 shows landmarks found by a reciprocal: 49 * (1 / 49) is not 1
    yield Case(
        "ending between two landmarks",
        options={"n": 2 * 49 + between(rng, 2, 29), "stride": 49},
        rule=MULTIPLES,
        note="The text ends between two landmarks.",
    )
    yield Case(
        "ending just before a landmark",
        options={"n": between(rng, 4, 8) * stride, "stride": stride},
        rule=MULTIPLES,
        note="The text ends just before a landmark.",
    )
    n = between(rng, 8, 24)  # shared with other strides: what is kept for a length is wrong there
    yield Case(
        "stride 1",
        options={"n": n, "stride": 1},
        rule=STRIDE_ONE,
        note="With stride 1 every position is a landmark.",
    )
    yield Case(
        "only two pairs apart",
        options={"n": n, "stride": n - 3},
        note="A stride almost as long as the text.",
    )
    n = between(rng, 6, 25)
    yield Case(
        "stride n - 1",
        options={"n": n, "stride": n - 1},
        rule=PAST,
        note="The first and the last position are landmarks.",
    )
    n = between(rng, 5, 24)
    yield Case(
        "stride n",
        options={"n": n, "stride": n},
        rule=PAST,
        note="A stride as long as the text.",
    )
    yield Case(
        "a stride longer than the text",
        options={"n": between(rng, 4, 9), "stride": between(rng, 30, 50)},
        rule=PAST,
        note="A stride that ends far outside the text.",
    )
    yield Case(
        "one position",
        options={"n": 1, "stride": between(rng, 2, 30)},
        rule=ONE,
        note="The shortest text there is.",
    )
    yield Case(
        "one position, stride 1",
        options={"n": 1, "stride": 1},
        rule=ONE,
        note="Everything as small as it gets.",
    )
    yield Case(
        "a long text",
        options={"n": between(rng, 530, 570), "stride": stride},
        rule=LONG,
        note="Indices that do not fit in a byte, nor in the eight digits of bfloat16. The stride is that of shorter texts before.",
    )
    yield Case(
        "a long text, a wide stride",
        options={"n": between(rng, 270, 300), "stride": between(rng, 140, 160)},
        rule=LONG,
        note="Few landmarks and a wide band.",
    )
    yield Case(
        "a long text, stride 2",
        options={"n": between(rng, 290, 330), "stride": 2},
        rule=LONG,
        note="Every second position is a landmark, well over a hundred in all.",
    )


def between(rng, least, most):
    return int(rng.integers(least, most + 1))


def domain(rng):
    """Every small length and stride, and larger ones."""
    for n in (1, 2, 3, 5, 8, 13, 17, int(rng.integers(100, 400))):
        for stride in sorted({1, 2, 3, 4, 5, 7, max(1, n - 1), n, n + 1, 3 * n}):
            yield Case(f"{n}, {stride}", options={"n": n, "stride": stride})
