from grader.case import Case


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
    yield Case(
        "stride 4",
        options={"n": 13, "stride": 4},
        note="The last position is a landmark.",
    )
    yield Case(
        "stride 4 in a shorter text",
        options={"n": 11, "stride": 4},
        note="The text ends between two landmarks.",
    )
    yield Case(
        "stride 5",
        options={"n": 20, "stride": 5},
        note="The text ends just before a landmark.",
    )
    yield Case(
        "stride 1",
        options={"n": 7, "stride": 1},
        note="With stride 1 every position is a landmark.",
    )
    yield Case(
        "only two pairs apart",
        options={"n": 10, "stride": 7},
        note="A stride almost as long as the text.",
    )
    yield Case(
        "stride n - 1",
        options={"n": 8, "stride": 7},
        note="The first and the last position are landmarks.",
    )
    yield Case(
        "stride n",
        options={"n": 6, "stride": 6},
        note="A stride as long as the text.",
    )
    yield Case(
        "a stride longer than the text",
        options={"n": 5, "stride": 40},
        note="A stride that ends far outside the text.",
    )
    yield Case(
        "one position",
        options={"n": 1, "stride": 3},
        note="The shortest text there is.",
    )
    yield Case(
        "one position, stride 1",
        options={"n": 1, "stride": 1},
        note="Everything as small as it gets.",
    )
    yield Case(
        "a long text",
        options={"n": 300, "stride": 17},
        note="Indices that do not fit in a byte.",
    )
    yield Case(
        "a long text, a wide stride",
        options={"n": 280, "stride": 64},
        note="Few landmarks and a wide band.",
    )
