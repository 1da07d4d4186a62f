"""Attention of one query for each text, whose keys and values lie on pages."""

import numpy as np

from grader.case import Case, in_float64

WHERE = "The page table says where"
SHARED = "Texts may share pages"
LENGTH = "A length may end anywhere"
LEFT = "Left-overs count for nothing"
UNUSED = "Unused entries say nothing"
EMPTY = "An empty text gets zeros"
LARGE = "Large scores"
ONE = "Any size may be one"
PRECISION = "Keeps precision"
INPUTS = "Leaves its inputs alone"
VIEWS = "Takes views and read-only arrays"
REMEMBERS = "Remembers nothing between calls"
GRADIENTS = "Gradients flow"


def normal(rng, *shape):
    return rng.normal(size=shape).astype(np.float32)


def used(lengths, T):
    """How many pages each text has."""
    return [-(-n // T) for n in lengths]


def paged(rng, lengths, P, T, M, H, D, Dv, unused="pages"):
    """Pages full of numbers, dealt out at random; behind the last page of a text the table has
    other pages, or -1.
    """
    table = np.stack([rng.permutation(P)[:M] for _ in lengths])
    if unused == "none":
        for row, count in zip(table, used(lengths, T), strict=True):
            row[count:] = -1
    dealt = iter(rng.permutation(P))
    for row, count in zip(table, used(lengths, T), strict=True):
        row[:count] = [next(dealt) for _ in range(count)]
        if count > 1 and row[0] < row[count - 1]:  # never in the order of their numbers
            row[[0, count - 1]] = row[[count - 1, 0]]
    return {
        "q": np.float32(1.5) * normal(rng, len(lengths), H, D),
        "key_pages": np.float32(1.4) * normal(rng, P, T, H, D),
        "value_pages": normal(rng, P, T, H, Dv),
        "page_table": table,
        "lengths": np.array(lengths),
    }


def left_over(inputs):
    """Which places on the pages belong to no text, (P, T)."""
    P, T = inputs["key_pages"].shape[:2]
    free = np.ones((P, T), dtype=bool)
    for row, n in zip(inputs["page_table"], inputs["lengths"], strict=True):
        for j in range(n):
            free[row[j // T], j % T] = False
    return free


def rounded(inputs):
    return {
        name: np.round(a, 1) + np.float32(0) if a.dtype.kind == "f" else a
        for name, a in inputs.items()
    }


def cases(rng):
    small = rounded(paged(rng, [3], P=4, T=2, M=2, H=1, D=2, Dv=3))
    small["page_table"] = np.array([[2, 0]])
    yield Case(
        "three tokens on two pages",
        inputs=small,
        sample=True,
        same="one text and one head, and pages of two tokens two numbers wide, to be read at a glance",
        note="The text begins on page 2 and ends in the middle of page 0.",
    )
    alike = rounded(paged(rng, [4, 3], P=5, T=2, M=3, H=1, D=2, Dv=4))
    alike["page_table"] = np.array([[3, 1, -1], [3, 0, -1]])
    yield Case(
        "two texts that begin alike",
        inputs=alike,
        sample=True,
        same="two texts on pages of two tokens two numbers wide, to be read at a glance",
        rule=SHARED,
        note="Both begin on page 3. Then each has a page of its own.",
    )
    full = paged(rng, [8, 12], P=11, T=4, M=5, H=3, D=6, Dv=7)
    full["q"], full["key_pages"] = full["q"] / 2**8, full["key_pages"] * 2**8
    full["q"][:, :, 2] = 0
    yield Case(
        "full pages",
        inputs=full,
        layout=dict.fromkeys(("q", "key_pages", "value_pages", "page_table"), "transposed"),
        note="Each text ends with the end of a page.",
    )
    blank = paged(rng, [20, 12, 8], P=17, T=4, M=9, H=2, D=5, Dv=7)
    blank["q"][1], blank["key_pages"][blank["page_table"][0, 2], 1] = 0, 0
    yield Case(
        "a pool of pages",
        inputs=blank,
        rule=WHERE,
        note="The pages of a text lie in any order, between those of the others. One query is 0 everywhere, and so is the key of another text's token.",
    )
    yield Case(
        "many small pages",
        inputs=paged(rng, [22, 34], P=301, T=2, M=19, H=3, D=4, Dv=5),
        same="B = T = 2: texts and tokens of a page are equally many",
        rule=WHERE,
        note="Long texts on pages of two tokens, of which there are 301.",
    )
    yield Case(
        "long texts",
        inputs=paged(rng, [509, 337], P=97, T=13, M=41, H=3, D=6, Dv=5),
        rule=LENGTH,
        note="Hundreds of tokens; none of the sizes is a power of two.",
    )
    yield Case(
        "the end of a page, and one more",
        inputs=paged(rng, [10, 11], P=13, T=5, M=4, H=3, D=7, Dv=6),
        rule=LENGTH,
        note="One text ends with the end of a page, the other on the first place of the next.",
    )
    ends = [int(n) for n in rng.permutation([1, 5, 6, 7, 14])]
    yield Case(
        "ends everywhere",
        inputs=paged(rng, ends, P=19, T=7, M=3, H=4, D=6, Dv=8),
        rule=LENGTH,
        note="Texts of different lengths: one token, nearly a page, a page, more than one.",
    )
    yield Case(
        "the table is full",
        inputs=paged(rng, [16, 13], P=9, T=4, M=4, H=3, D=5, Dv=6),
        same="M = T = 4: as many pages as tokens on a page",
        rule=LENGTH,
        note="One text has as many tokens as its row of the table has places.",
    )
    shared = paged(rng, [10, 14, 3], P=23, T=4, M=5, H=2, D=6, Dv=7)
    shared["page_table"][1:, 0] = shared["page_table"][0, 0]
    shared["page_table"][1, 1] = shared["page_table"][0, 1]
    yield Case(
        "a common beginning",
        inputs=shared,
        rule=SHARED,
        note="Three texts begin on one page. Two of them have the next one in common too, and the third one ends on it earlier.",
    )
    loud = paged(rng, [6, 9, 2], P=13, T=4, M=5, H=2, D=7, Dv=6)
    loud["key_pages"][left_over(loud)] *= 3000
    yield Case(
        "loud left-overs",
        inputs=loud,
        rule=LEFT,
        note="What lies behind the end of a text has scores beyond 10 000.",
    )
    broken = paged(rng, [7, 10, 5], P=14, T=4, M=6, H=2, D=5, Dv=8)
    broken["key_pages"][left_over(broken)] = np.nan
    broken["value_pages"][left_over(broken)] = rng.choice([np.nan, np.inf])
    yield Case(
        "left-overs that are no numbers",
        inputs=broken,
        rule=LEFT,
        note="Memory that nobody has written to yet: behind the end of a text there are NaN and infinity.",
    )
    yield Case(
        "minus one behind the last page",
        inputs=paged(rng, [9, 5], P=12, T=4, M=6, H=3, D=5, Dv=7, unused="none"),
        rule=UNUSED,
        note="Unused entries of the table are -1.",
    )
    wild = paged(rng, [11, 8], P=13, T=4, M=7, H=3, D=6, Dv=5)
    for row, count in zip(wild["page_table"], used([11, 8], 4), strict=True):
        row[count:] = rng.integers(100, 10_000, 7 - count)
    yield Case(
        "unused entries of any size",
        inputs=wild,
        rule=UNUSED,
        note="Unused entries are numbers beyond the last page, also right behind a page that is full.",
    )
    order = rng.permutation([0, 7, 4])
    yield Case(
        "an empty text",
        inputs=paged(rng, [int(n) for n in order], P=12, T=4, M=5, H=2, D=6, Dv=7),
        rule=EMPTY,
        note="One of the texts has no token yet.",
    )
    yield Case(
        "nothing but empty texts",
        inputs=paged(rng, [0, 0], P=7, T=3, M=4, H=8, D=6, Dv=5),
        rule=EMPTY,
        note="No text has a token yet.",
    )
    yield Case(
        "empty texts, and numbers for vectors",
        inputs=paged(rng, [1, 0, 2, 0], P=7, T=1, M=2, H=1, D=1, Dv=1),
        rule=EMPTY,
        same="the narrowest there is: H = D = Dv = T = 1",
        note="Two texts without a token and one with a single one, whose vectors have one number.",
    )
    yield Case(
        "scores of hundreds",
        inputs=high(rng),
        rule=LARGE,
        note="Scores that exp cannot take in float32, on different scales from text to text and from head to head.",
    )
    yield Case(
        "scores of thousands",
        inputs=extreme(rng),
        rule=LARGE,
        note="The scores of one text lie near 6400, those of the other near -10 000. That one ends inside a page.",
    )
    faint = paged(rng, [5, 3, 6], 6, 4, 2, 5, 7, 8)
    faint["q"][..., 0], faint["key_pages"][..., 0] = 8, -13
    yield Case(
        "every score near -40",
        inputs=faint,
        rule=LARGE,
        note="All scores lie near -40, and their differences are ordinary.",
    )
    yield Case(
        "pages of one token",
        inputs=paged(rng, [4, 6], P=13, T=1, M=7, H=3, D=5, Dv=8),
        rule=ONE,
        note="Every token has a page of its own.",
    )
    narrow = paged(rng, [5], P=6, T=3, M=4, H=1, D=1, Dv=1)
    for name in ("q", "key_pages"):  # beside a high score, a wrong one of zero would not count
        np.clip(narrow[name], -1.5, 1.5, out=narrow[name])
    yield Case(
        "one text, one head, one column",
        inputs=narrow,
        same="the narrowest there is: B = H = D = Dv = 1",
        rule=ONE,
        note="A single text, and keys and values one number wide.",
    )
    yield Case(
        "one page",
        inputs=paged(rng, [3], P=1, T=5, M=1, H=2, D=4, Dv=6),
        same="a single page: B = P = M = 1",
        rule=ONE,
        note="One text on the only page that there is.",
    )
    yield Case(
        "cancelling values in float64",
        inputs=cancelling(rng),
        rule=PRECISION,
        note="Large parts of the numbers cancel, and what is left shows each rounding.",
    )
    names = ("q", "key_pages", "value_pages", "page_table", "lengths")
    yield in_float64(
        Case(
            "inputs stay as they were",
            inputs=paged(rng, [9, 6], P=11, T=4, M=5, H=3, D=7, Dv=6),
            wants=tuple(f"after.{name}" for name in names),
            rule=INPUTS,
            note="The arrays of the caller are looked at again after the call.",
        )
    )
    yield Case(
        "views with gaps",
        inputs=paged(rng, [7, 10], P=11, T=4, M=5, H=3, D=6, Dv=8),
        layout=dict.fromkeys(names, "strided"),
        rule=VIEWS,
        note="All arrays are views with gaps between their elements.",
    )
    yield Case(
        "read-only arrays",
        inputs=paged(rng, [6, 11], P=10, T=4, M=5, H=3, D=7, Dv=8),
        layout=dict.fromkeys(names, "readonly"),
        rule=VIEWS,
        note="In NumPy the arrays refuse to be written to.",
    )
    yield Case(
        "the same sizes, other pages",
        inputs=paged(rng, [5, 10], P=9, T=4, M=5, H=3, D=8, Dv=6),
        before=paged(rng, [5, 10], P=9, T=4, M=5, H=3, D=8, Dv=6),
        rule=REMEMBERS,
        note="A call with arrays of the same shapes came before, with other numbers and another table.",
    )
    loud = paged(rng, [6, 9], P=11, T=5, M=4, H=3, D=7, Dv=8)
    loud["q"][..., 0], loud["key_pages"][..., 0] = 14, 0
    loud["key_pages"][left_over(loud), :, 0] = 14 * np.sqrt(7)
    yield Case(
        "gradients",
        inputs=loud,
        wants=("grad.q", "grad.key_pages", "grad.value_pages"),
        rule=GRADIENTS,
        note="Queries, keys and values learn; what nobody sees has a gradient of 0, though it scores two hundred above the others.",
    )
    unwritten = paged(rng, [7, 9], P=15, T=4, M=6, H=3, D=5, Dv=7, unused="none")
    for name in ("key_pages", "value_pages"):
        unwritten[name][left_over(unwritten)] = np.nan
    unwritten["value_pages"][left_over(unwritten), 1:] = np.inf
    grads = ("grad.q", "grad.key_pages", "grad.value_pages")
    yield Case(
        "gradients beside left-overs",
        inputs=unwritten,
        wants=grads,
        rule=LEFT,
        note="In PyTorch: behind the ends of the texts there are NaN and infinity, and no gradient is NaN.",
    )
    yield Case(
        "gradients of an empty text",
        inputs=paged(rng, [7, 0, 6], P=16, T=4, M=7, H=2, D=6, Dv=5),
        wants=grads,
        rule=EMPTY,
        note="In PyTorch: the query of an empty text has a gradient of 0.",
    )


def high(rng, P=10, T=5, M=8, H=3, D=6, Dv=7):
    """Queries and keys of a head share a large common part, which says nothing about which key to
    prefer. In another column faint queries meet large keys.
    """
    inputs = paged(rng, [7, 9, 1, 2], P, T, M, H, D, Dv)
    inputs["q"][..., 1] *= np.float32(1e-5)
    inputs["key_pages"][..., 1] *= np.float32(1e5)
    inputs["q"][..., 0] = 30 * np.array([[1, 3, 0.1], [0.3, 1, 2], [2, 0.1, 1], [0.2, 1, 3]])
    inputs["key_pages"][..., 0] = 25
    return inputs


def extreme(rng, P=9, T=6, M=3, H=5, D=4, Dv=11):
    """The first column alone asks and answers: the scores of one text are near 6400, each token 1
    above the one before it, and one token has the opposite score. Those of the other are -10 000,
    -9999 and -9998, also behind its end. Values of left-overs are smaller, so a weight for them
    shows. Powers of two, and D = 4, round nothing.
    """
    ends = rng.permutation([M * T, M * T - 4])
    inputs = paged(rng, [int(n) for n in ends], P, T, M, H, D, Dv)
    inputs["q"][...], inputs["key_pages"][...] = 0, 0
    inputs["q"][..., 0] = 128
    steps = np.arange(M * T).reshape(M, T, 1)
    for row, length in zip(inputs["page_table"], ends, strict=True):
        if length == M * T:
            inputs["key_pages"][row, :, :, 0] = 100 + (steps - M * T) / 64
            inputs["key_pages"][row[0], 1, :, 0] = -100
        else:
            inputs["key_pages"][row, :, :, 0] = (steps % 3 - 10_000) / 64
    inputs["value_pages"][~left_over(inputs)] += 8
    return inputs


def cancelling(rng, P=13, T=4, M=5, H=3, D=6, Dv=7):
    """Tokens in pairs: the weight of the second is `ratio` times that of the first, and values near
    1e5 cancel. About 1 is left, of which a rounding to float32 anywhere is more than 1e-4. Every
    score has the same large part, which a softmax ignores.
    """
    inputs = paged(rng, [8, 12], P, T, M, H, D, Dv)
    q = 1.5 * rng.standard_normal((2, H, D))
    k = rng.standard_normal((P, T, H, D))
    v = rng.standard_normal((P, T, H, Dv))
    k[:, 1::2] = k[:, ::2]
    ratio = rng.uniform(1.5, 3, (P, T // 2, H, 1))
    q[..., -2:] = np.sqrt(D) * np.array([17.3, 1])
    k[..., -2:] = [18.7, 0]
    k[:, 1::2, :, -1:] = np.log(ratio)
    large = 1e5 * rng.standard_normal((P, T // 2, H, Dv))
    v[:, ::2] += large
    v[:, 1::2] -= large / ratio
    return inputs | {"q": q, "key_pages": k, "value_pages": v}


def domain(rng):
    """Any sizes, lengths and entries, scores on the scale of 1 to 10 000, both dtypes."""
    for number in range(60):
        B, H, T, D, Dv = map(int, rng.choice([1, 1, 2, 3, 4], 5))
        M = int(rng.integers(1, 4))
        P = B * M + int(rng.integers(3))
        lengths = [int(n) for n in rng.integers(0, M * T + 1, B)]
        dtype, spread = rng.choice([np.float32, np.float64]), rng.choice([1, 1, 10, 60])
        inputs = paged(rng, lengths, P, T, M, H, D, Dv, str(rng.choice(["pages", "none"])))
        inputs = {n: a.astype(dtype) if a.dtype.kind == "f" else a for n, a in inputs.items()}
        inputs["key_pages"] *= dtype(spread)
        largest = np.abs(np.einsum("bhd,pthd->bpth", inputs["q"], inputs["key_pages"])).max()
        inputs["q"] *= dtype(min(1.01 * spread, 9_900 * np.sqrt(D) / largest))
        yield Case(str(number), inputs=inputs)
