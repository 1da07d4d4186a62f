import numpy as np

from grader.case import Case, in_float64

ANY_TIME = "The largest score may come at any time"
SIZES = "Blocks have any size"
ONE = "Any size may be one"
LARGE = "Large scores"
UNSEEN = "Minus infinity gets no weight"
NOTHING = "A query that sees nothing gets zeros"
PRECISION = "Keeps precision"
ALONE = "Leaves its inputs alone"
VIEWS = "Takes views and read-only arrays"
NO_MEMORY = "Remembers nothing between calls"


def draw(rng, *sizes, spread=1.5, levels=None, dtype=np.float32):
    """Blocks of normal scores; `levels` are added, one to each block."""
    levels = np.zeros(len(sizes)) if levels is None else levels
    return [
        (level + spread * rng.standard_normal(n)).astype(dtype)
        for n, level in zip(sizes, levels, strict=True)
    ]


def given(blocks):
    return {"blocks": blocks}


def rounded(blocks):
    return [np.round(block, 1) + np.float32(0) for block in blocks]


def shifted(rng, blocks, places):
    """The largest score of all stands in one of these blocks, 1 to 2 above the others."""
    largest = max(block.max() for block in blocks)
    block = blocks[rng.choice(places)]
    block[rng.integers(len(block))] = largest + np.float32(rng.uniform(1, 2))
    return blocks


def rising(rng, *sizes):
    """The largest score of all stands in one of the blocks between the first and the last."""
    return shifted(rng, draw(rng, *sizes), range(1, len(sizes) - 1))


def raised(rng, blocks, place):
    """The largest visible score of this block becomes the largest of all, by 1 to 2."""
    largest = max(block.max() for block in blocks)
    blocks[place][blocks[place].argmax()] = largest + np.float32(rng.uniform(1, 2))
    return blocks


def falling(rng):
    """The scores of the second block are 11.5 below the largest, and the many of the last one 15:
    each of them counts for less than 1e-4, all together for more.
    """
    blocks = draw(rng, 4, 6, 500, levels=[8, -1.5, -5], spread=0.1)
    blocks[0][rng.integers(4)] = 10
    return blocks


def again(blocks):
    return [*blocks, blocks[0].copy()]


def up_to_zero(rng):
    """No score is above 0, and one is 0, in the middle block."""
    blocks = [-np.abs(block) for block in draw(rng, 5, 6, 2)]
    blocks[1][rng.integers(6)] = 0
    return blocks


def steps_of_thousands(rng):
    """Each block lies thousands above the one before it, up to 10 000. Two scores of the last one
    differ by 3, which shows where scores are cut off.
    """
    blocks = draw(rng, 3, 2, 4, 3, levels=[-9_000, -2_000, 4_000, 9_990])
    blocks[-1][:] = rng.permutation([10_000, 9_997, 9_990])
    return blocks


def slowly_rising(rng):
    """150 blocks, each 5 to 5.5 above the one before it: no step is large, all together take more
    than exp can, in float64 too. The last one lies near 0.
    """
    sizes = rng.integers(2, 5, 150)
    levels = np.cumsum(rng.uniform(5, 5.5, len(sizes)))
    return draw(rng, *sizes, levels=levels - levels[-1], spread=0.5)


def down_from_ten_thousand(rng):
    """The first block lies near 10 000, with one score above the rest; the others far below."""
    blocks = draw(rng, 4, 3, 2, levels=[9_975, 500, -9_990], spread=1)
    blocks[0][rng.integers(4)] = 9_995
    return blocks


def near_the_bottom(rng):
    """Every score lies between -10 000 and -9 980, and those of the middle block above -9 984."""
    levels, sizes = (-9_997, -9_980, -9_997), (4, 2, 3)
    blocks = [x - rng.uniform(0, 3, n) for x, n in zip(levels, sizes, strict=True)]
    return [block.astype(np.float32) for block in blocks]


def low_beside_hidden(rng):
    """Scores of -10 000 among hidden ones: a number in the place of -inf would be seen."""
    blocks = [np.full(n, -10_000, np.float32) for n in (3, 4, 7)]
    for block in blocks:
        block[rng.permutation(len(block))[:2]] = -np.inf
    return blocks


def some_hidden(rng, *sizes):
    """In each block at least one score is -inf: of the first one both ends, of the last one the first
    score.
    """
    blocks = draw(rng, *sizes)
    for block in blocks:
        block[1 + rng.permutation(len(block) - 1)[: rng.integers(1, len(block) - 1)]] = -np.inf
    blocks[0][:] = draw(rng, len(blocks[0]))[0]
    blocks[0][[0, -1]] = blocks[-1][0] = -np.inf
    return blocks


def whole_hidden(blocks, *places):
    for place in places:
        blocks[place][:] = -np.inf
    return blocks


def between_floats(rng):
    """float64 scores near 650, each almost half way between two neighbours in float32, and most of
    them above the nearer one, so that the rounding does not cancel in their sum.
    """
    blocks = draw(rng, 31, 53, 17, levels=[650, 650.5, 649.5], spread=0.3)
    return [
        b.astype(np.float64) + rng.choice([-2.8e-5, 2.8e-5], b.shape, p=[0.2, 0.8]) for b in blocks
    ]


def cases(rng):
    yield Case(
        "two blocks",
        inputs=given(rounded(shifted(rng, draw(rng, 3, 2), [1]))),
        sample=True,
        note="The plain definition. The second block has the larger scores.",
    )
    yield Case(
        "three blocks, some hidden",
        inputs=given(whole_hidden(rounded(draw(rng, 2, 4, 3)), 0)),
        sample=True,
        rule=UNSEEN,
        note="Nothing in the first block is visible.",
    )
    yield Case(
        "four blocks",
        inputs=given(rising(rng, 4, 6, 3, 5)),
        note="The plain definition on eighteen scores.",
    )
    yield Case(
        "1009 scores",
        inputs=given(rising(rng, *[64] * 15, 49)),
        note="A prime number of scores in blocks of 64; the last block is smaller.",
    )
    yield Case(
        "the largest score is 0",
        inputs=given(up_to_zero(rng)),
        note="No score is positive. Zero is a score like any other.",
    )
    yield Case(
        "a rising row",
        inputs=given(draw(rng, 5, 4, 6, levels=[-16, -13, 0])),
        rule=ANY_TIME,
        note="Each block has a larger score than all blocks before it.",
    )
    yield Case(
        "a falling row",
        inputs=given(falling(rng)),
        rule=ANY_TIME,
        note="The first block has the largest score.",
    )
    yield Case(
        "the largest score in the middle",
        inputs=given(shifted(rng, draw(rng, 5, 3, 4, 6), [1, 2])),
        rule=ANY_TIME,
        note="The largest score comes neither first nor last.",
    )
    yield Case(
        "the same block twice",
        inputs=given(again(shifted(rng, draw(rng, 5, 6), [0]))),
        rule=ANY_TIME,
        note="The last block has the scores of the first, the largest one too.",
    )
    yield Case(
        "blocks of very different sizes",
        inputs=given(rising(rng, 7, 1, 12, 2, 1, 5)),
        rule=SIZES,
        note="Large and small blocks, in no order.",
    )
    yield Case(
        "a small block at the end",
        inputs=given(rising(rng, 8, 8, 8, 3)),
        rule=SIZES,
        note="What is left over at the end is a block too.",
    )
    yield Case(
        "one block", inputs=given(draw(rng, 6)), rule=ONE, note="Everything arrives at once."
    )
    yield Case(
        "blocks of one score",
        inputs=given(rising(rng, 1, 1, 1, 1)),
        rule=ONE,
        note="The scores arrive one at a time.",
    )
    yield Case(
        "one block of one score",
        inputs=given(draw(rng, 1)),
        rule=ONE,
        note="The smallest row there is.",
    )
    yield Case(
        "a rising row up to 10 000",
        inputs=given(steps_of_thousands(rng)),
        rule=LARGE,
        note="Every block is thousands above the one before it.",
    )
    yield Case(
        "a falling row from 10 000",
        inputs=given(down_from_ten_thousand(rng)),
        rule=LARGE,
        note="The first block is thousands above all others.",
    )
    yield Case(
        "a row that rises by nearly a hundred",
        inputs=given(draw(rng, 3, 4, 2, levels=[-184, -92, 0], spread=0.5)),
        rule=LARGE,
        note="Each block lies about 92 above the one before it: exp cannot take that.",
    )
    yield Case(
        "a row that rises slowly",
        inputs=given(slowly_rising(rng)),
        rule=LARGE,
        note="150 blocks, each about 5 above the one before it: small steps that come to hundreds.",
    )
    yield Case(
        "all scores near -10 000",
        inputs=given(near_the_bottom(rng)),
        rule=LARGE,
        note="Every score is low, and one of them is still the largest.",
    )
    yield Case(
        "minus infinity beside scores of -10 000",
        inputs=given(low_beside_hidden(rng)),
        rule=LARGE,
        note="However low a score is, it is not as low as one that is not visible.",
    )
    yield Case(
        "hidden scores in every block",
        inputs=given(raised(rng, some_hidden(rng, 4, 5, 7), 1)),
        rule=UNSEEN,
        note="Each block has visible scores and hidden ones.",
    )
    yield Case(
        "hidden blocks at both ends",
        inputs=given(raised(rng, whole_hidden(draw(rng, 3, 2, 5, 4, 1, 2), 0, 1, 4, 5), 3)),
        rule=UNSEEN,
        note="After the first two blocks, nothing has been seen yet; the last two bring nothing.",
    )
    yield Case(
        "hidden blocks in the middle and at the end",
        inputs=given(raised(rng, whole_hidden(draw(rng, 4, 3, 5, 2), 1, 3), 2)),
        rule=UNSEEN,
        note="A block in which nothing is visible changes nothing.",
    )
    yield Case(
        "nothing visible",
        inputs=given(whole_hidden(draw(rng, *rng.integers(2, 60, 3)), 0, 1, 2)),
        rule=NOTHING,
        note="Every score of every block is minus infinity.",
    )
    yield in_float64(
        Case(
            "nothing visible, in double precision",
            inputs=given(whole_hidden(draw(rng, *rng.integers(2, 60, 2)), 0, 1)),
            rule=NOTHING,
            note="The zeros have the dtype of the scores.",
        )
    )
    yield Case(
        "double precision",
        inputs=given(between_floats(rng)),
        rule=PRECISION,
        note="float64 scores near 650, of which float32 keeps no more than four decimals.",
    )
    yield in_float64(
        Case(
            "the blocks afterwards",
            inputs=given(draw(rng, 3, 5, 1)),
            wants=("after.blocks[0]", "after.blocks[1]", "after.blocks[2]"),
            rule=ALONE,
            note="The caller goes on using the blocks. Only they are looked at here.",
        )
    )
    yield Case(
        "read-only blocks",
        inputs=given(rising(rng, 5, 2, 3)),
        layout={"blocks[0]": "readonly", "blocks[1]": "readonly", "blocks[2]": "readonly"},
        rule=ALONE,
        note="In NumPy the blocks refuse to be written to.",
    )
    yield Case(
        "views",
        inputs=given(rising(rng, 4, 7, 6)),
        layout={"blocks[0]": "strided", "blocks[1]": "strided", "blocks[2]": "strided"},
        rule=VIEWS,
        note="The blocks have gaps between their entries, as slicing makes them.",
    )
    yield Case(
        "a second call",
        inputs=given(rising(rng, 6, 4, 8)),
        before=given(draw(rng, 6, 4, 8)),
        rule=NO_MEMORY,
        note="The second call has the shapes of the first, and other scores.",
    )
    yield Case(
        "every score near -40",
        inputs=given(draw(rng, 4, 3, 5, levels=[-40, -40, -40], spread=0.7)),
        rule=LARGE,
        note="All scores lie near -40, and their differences are ordinary.",
    )
    yield Case(
        "one block, nothing visible",
        inputs=given(whole_hidden(draw(rng, rng.integers(61, 50_000)), 0)),
        rule=NOTHING,
        note="The only block has nothing but minus infinity.",
    )
    yield Case(
        "one block near -10 000",
        inputs=given(near_the_bottom(rng)[1:2]),
        rule=LARGE,
        note="Everything arrives at once, and every score is low.",
    )


def domain(rng):
    """Any blocks, scores from -10 000 to 10 000, equal ones, -inf anywhere, both dtypes."""
    for number in range(70):
        sizes = rng.choice([1, 1, 2, 3, 5], rng.integers(1, 6))
        levels = rng.choice([0, 0, 5, 100, 3000]) * rng.standard_normal(len(sizes))
        blocks = draw(rng, *sizes, spread=rng.choice([0.1, 2, 30, 1000]), levels=levels)
        offset, style = rng.choice([0, 0, 9000, -9000]), rng.integers(5)
        dtype, hidden = rng.choice([np.float32, np.float64]), rng.choice([0.2, 0.6, 1])
        for i, block in enumerate(blocks):
            block = np.clip(block + offset, -10_000, 10_000).astype(dtype)
            block = np.round(block) if style == 0 else block
            block[(style > 2) & (rng.random(len(block)) < hidden)] = -np.inf
            blocks[i] = block
        yield Case(str(number), inputs=given(blocks))
