"""Beam search: what is kept, what has ended, and what wins.

The model is exact: its memory is a whole number, and sums of its scores are not rounded, so nothing
is as good as something else by accident. A table is drawn until a wrong search finds another text.
"""

from functools import partial

import numpy as np

from grader.case import Case

FREES = "A text that has ended frees its place"
PATIENCE = "The search goes on to the end"
OPEN = "What has not ended counts too"
LENGTH = "Length is divided out at the end"
EQUAL = "Of equal scores the first comes first"
ZERO = "Token 0 may be the stop token"
WIDTH = "Any width"
ONE = "Any size may be one"
PRECISION = "Keeps precision"
ALONE = "Leaves its inputs alone"
VIEWS = "Takes views and read-only arrays"
NO_MEMORY = "Remembers nothing between calls"

ENDS = ("shrinks", "early", "closed")  # wrong ways with texts that have ended


def draw(rng, n, V, M, dear=None):
    """Scores from -128 to 0, in steps of 1 / 64; from -8 if the table is small, and from -1024 if
    there are many words. The word `dear` costs more.
    """
    lowest = 8 if M < 20 else 128 if V < 100 else 1024
    table = -rng.integers(0, 64 * lowest, (M, V)) / 64
    if dear is not None:
        table[:, dear] = np.maximum(table[:, dear] - lowest / 4, -lowest)
    return {"prompt": rng.integers(0, V, n), "table": table.astype(np.float32)}


def after(prompt, M):
    """The model's memory at the end of a prompt: a row of its table."""
    state = 0
    for token in prompt.tolist():
        state = (5 * state + token + 1) % M
    return state


def kept(new, width, stop, twist):
    """The continuations that a turn keeps, best first, by their numbers."""
    if twist == "unstable":
        return np.argsort(np.array([-total for _, total, _ in new], np.float32))[:width]
    ranked = sorted(range(len(new)), key=lambda i: -new[i][1])
    if twist == "refill":  # for each text that ends, the next best one goes on in the same turn
        ends = sum(new[i][0][-1] == stop for i in ranked[:width])
        return ranked[:width] + [i for i in ranked[width:] if new[i][0][-1] != stop][:ends]
    return ranked[:width]


def search(inputs, width, most, stop, alpha, twist=""):
    """The text that the search finds, or that a wrong search finds."""
    table, prompt = inputs["table"], inputs["prompt"]
    if twist == "single":
        table = table.astype(np.float32)
    state = after(prompt.astype(np.int8) if twist == "a byte" else prompt, len(table))
    V = table.shape[1]
    width = {"words": min(width, V), "twice": 2 * width, "greedy": 1}.get(twist, width)
    best = V if twist in ("unstable", "refill") else min(width, V)
    going, found = [((), 0.0, state)], []
    for turn in range(1, most + 1):
        new = []
        for text, total, state in going:
            row = table[state % len(table)]
            words = np.flatnonzero(row >= np.partition(row, -best)[-best])  # no other can be kept
            if twist == "alone" and len(going) > 1:  # each text has one heir
                words = row.argmax(keepdims=True)
            new += [
                ((*text, word), total + score, 5 * state + word + 1)
                for word, score in zip(words.tolist(), row[words].tolist(), strict=True)
            ]
        if twist == "last":
            new.reverse()
        if twist == "transposed":
            new.sort(key=lambda entry: entry[0][-1])
        if twist == "half":  # earlier words are kept in half precision
            new = [((*map(int, np.float16(e[0][:-1])), e[0][-1]), *e[1:]) for e in new]
        order = kept(new, width, stop, twist)
        new = [new[i] for i in (sorted(order) if twist == "in place" else order)]
        if twist == "compete":  # ended texts take places of those that could go on
            ranked = sorted([*found, *new], key=lambda entry: -entry[1])[:width]
            found, new = ([e for e in ranked if (e in found) is old] for old in (True, False))
        ended = [entry for entry in new if entry[0][-1] == stop]
        if twist == "exchanged":  # those that end at once get each other's sums
            ended = [(one[0], *two[1:]) for one, two in zip(ended, ended[::-1], strict=True)]
        going = [entry for entry in new if entry[0][-1] != stop]
        if twist == "unended" and turn == 1:  # no text ends with its first word
            ended, going = [], new
        if twist == "mixed" and turn == most:  # the last turn's texts as they come, open or not
            ended, going = new, []
        if twist == "misplaced":  # those that go on get the memory of the first ones
            going = [
                (text, total, new[i][2] - new[i][0][-1] + text[-1])
                for i, (text, total, _) in enumerate(going)
            ]
        if twist == "single sums":
            going = [(text, float(np.float32(total)), state) for text, total, state in going]
        found += [] if twist == "once" and found else ended
        width -= len(ended) if twist == "shrinks" else 0
        if not going or not width or (twist == "early" and found):
            break
        if len(found) >= {"enough": width, "more": width + 1}.get(twist, np.inf):
            break
        next_turn = going[0][1] / (turn + 1) ** alpha
        if twist == "bound" and any(s / len(text) ** alpha >= next_turn for text, s, _ in found):
            break
    found += [] if twist == "closed" and found else going
    found = found[::-1] if twist == "later" else found
    power = 0 if twist == "flat" else alpha
    number = np.float32 if twist == "single scores" else float
    return max(found, key=lambda entry: number(entry[1] / len(entry[0]) ** power))[:2]


def until(
    rng,
    sizes,
    width,
    most,
    stop,
    alpha,
    differ=(),
    same=(),
    dear=None,
    whole=False,
    near=False,
    ends=False,
    closed=False,
    first=False,
):
    """Draws until these wrong searches find another text, and those the right one. With `whole`,
    scores are small whole numbers, so that many are equal; with `near`, they are equal in float32
    only; with `ends`, the best text ends early; with `closed`, the prompt begins and ends with the
    stop token; with `first`, the best text is the stop token alone.
    """
    others = (*(("greedy",) if width > 1 else ()), *differ)
    same = same if whole else (*same, "last", "later")
    while True:
        inputs = draw(rng, *sizes, dear)
        if stop is not None:
            inputs["prompt"][inputs["prompt"] == stop] = (stop + 1) % sizes[1]
            if closed:
                inputs["prompt"][[0, -1]] = stop
        if whole or near:
            inputs["table"] = np.round(inputs["table"] / 64)
        if first:  # as good as the best first word, which is word 0: further words cost more
            row = inputs["table"][after(inputs["prompt"], sizes[2])]
            best = row.argmax()
            row[[0, best]] = row[[best, 0]]
            row[stop] = row[0]
        if near:
            inputs["table"] = inputs["table"] - 1 - beyond_float32(rng, inputs["table"].shape)
        found = partial(text_of, inputs, width, most, stop, alpha)
        right = found("")
        # of a length whose root is no whole number
        if ends and not (right[-1] == stop and len(right) < most and len(right) not in (1, 4)):
            continue
        if first and right != (stop,):
            continue
        if all(found(t) != right for t in others) and all(found(t) == right for t in same):
            return inputs


def beyond_float32(rng, shape):
    """Steps of 2^-47, too small for a float32 beside 1, and for ten decimals."""
    return rng.integers(0, 2**10, shape) / 2**47


def text_of(*arguments):
    return search(*arguments)[0]


def case(rng, name, sizes, width, most, stop=None, alpha=0.0, **rest):
    """`sizes` are n, V and M; the scores are `times` as large, a power of two."""
    wanted = {
        key: rest.pop(key)
        for key in ("differ", "same", "dear", "whole", "near", "ends", "closed", "first")
        if key in rest
    }
    times = np.float32(rest.pop("times", 1))
    inputs = until(rng, sizes, width, most, stop, alpha, **wanted)
    inputs["table"] = inputs["table"] * times
    options = {"width": width, "max_new": most, "stop": stop, "alpha": alpha}
    return Case(name, inputs=inputs, options=options, **rest)


def cases(rng):
    yield case(
        rng,
        "two beams",
        (2, 4, 11),
        2,
        3,
        sample=True,
        note="The best word at first is not the beginning of the best text.",
    )
    yield case(
        rng,
        "divided by the length",
        (3, 4, 13),
        2,
        4,
        stop=1,
        alpha=1.0,
        same=ENDS[:1],
        sample=True,
        rule=LENGTH,
        note="Each sum is divided by the number of its tokens.",
    )
    yield case(
        rng,
        "three beams",
        (4, 6, 61),
        3,
        5,
        differ=("alone", "twice"),
        note="Two texts may go on from one, and one may have no heir.",
    )
    yield case(
        rng,
        "twelve new words",
        (3, 5, 61),
        4,
        12,
        differ=("alone", "twice"),
        times=2**-16,  # some of the best scores are below 1e-4
        note="A longer search, in which most beginnings are given up.",
    )
    yield case(
        rng,
        "many beams",
        (5, 4, 61),
        7,
        6,
        differ=("alone", "words"),
        note="More beams than words.",
    )
    large = (17, 4099, 61)
    yield case(
        rng, "4099 words", large, 3, 5, differ=("half", "a byte"), note="A large vocabulary."
    )
    yield case(rng, "a long prompt", (211, 6, 61), 3, 4, note="A prompt of two hundred tokens.")
    early = "The turn after an end keeps as many as before."
    several = "Several texts end, and each turn keeps as many. The prompt has the stop token, too."
    for name, sizes, width, most, stop, note in (
        ("an early end", (4, 5, 61), 3, 7, 2, early),
        ("several ends", (3, 6, 61), 4, 9, 1, several),
    ):
        yield case(
            rng,
            name,
            sizes,
            width,
            most,
            stop=stop,
            dear=stop,
            differ=("shrinks",),
            same=("compete", "enough"),
            closed=name == "several ends",
            rule=FREES,
            note=note,
        )
    later = "The first text that ends is not the best."
    last = "Several texts end, and a later one is the best."
    for name, V, width, most, stop, twists, passes, note in (
        ("a later end is better", 6, 3, 6, 3, ("enough",), (), later),
        ("the last end is better", 5, 4, 7, 4, ("exchanged", "more"), ("compete",), last),
    ):
        yield case(
            rng,
            name,
            (4, V, 61),
            width,
            most,
            stop=stop,
            differ=("early", "once", *twists),
            same=("shrinks", "closed", *passes),
            ends=True,
            times=2**-10,
            rule=PATIENCE,
            note=note,
        )
    for name, V, width, most, stop, note in (
        ("an open text is best", 6, 4, 5, 2, "Some texts have ended, and an open one is better."),
        ("open at the limit", 7, 3, 6, 1, "The best text would still go on at `max_new`."),
    ):
        yield case(
            rng,
            name,
            (5, V, 61),
            width,
            most,
            stop=stop,
            dear=stop,
            differ=("closed",),
            same=("shrinks", "once"),
            times=2**10,
            rule=OPEN,
            note=note,
        )
    for name, alpha in (("the root of the length", 0.5), ("the square of the length", 2.0)):
        yield case(
            rng,
            name,
            (4, 5, 61),
            4,
            7,
            stop=4,
            alpha=alpha,
            differ=("flat",) if alpha < 1 else ("flat", "bound", "misplaced", "compete", "enough"),
            times=2**-10,
            # what competes for places often shrinks too
            same=("shrinks", "enough") if alpha < 1 else (),
            ends=alpha < 1,
            rule=LENGTH,
            note=f"The sum is divided by the length to the power of {alpha}.",
        )
    yield case(
        rng,
        "equal scores in the search",
        (4, 13, 61),
        4,
        6,
        differ=("in place", "transposed", "last"),
        whole=True,
        rule=EQUAL,
        note="Scores are small whole numbers, so many sums are equal.",
    )
    yield case(
        rng,
        "equal scores of 101 words",
        (8, 101, 61),
        5,
        4,
        differ=("unstable", "last"),
        whole=True,
        rule=EQUAL,
        note="So many that a sort which is not stable exchanges equals.",
    )
    for name, n, width, most, stop, twists in (
        ("equal scores at the end", 3, 4, 3, 1, ("mixed",)),
        ("more equal scores at the end", 6, 3, 7, 2, ()),
    ):
        yield case(
            rng,
            name,
            (n, 11, 61),
            width,
            most,
            stop=stop,
            differ=("later", *twists),
            same=("shrinks", "last", "transposed"),
            whole=True,
            rule=EQUAL,
            note=f"Several texts of up to {most} tokens are best; the first that was found is meant.",
        )
    yield case(
        rng,
        "word 0 ends a text",
        (4, 5, 61),
        3,
        6,
        stop=0,
        same=ENDS,
        ends=True,
        rule=ZERO,
        note="The stop token has the number 0.",
    )
    yield case(
        rng,
        "one beam",
        (4, 6, 61),
        1,
        7,
        rule=WIDTH,
        note="With a width of 1 the best word is taken each time.",
    )
    yield case(
        rng,
        "more beams than there are texts",
        (3, 4, 61),
        23,
        2,
        rule=WIDTH,
        note="All texts of two words are kept, and fewer than `width` there are.",
    )
    yield case(
        rng, "a prompt of one token", (1, 5, 61), 3, 4, rule=ONE, note="One token to begin with."
    )
    yield Case(
        "a vocabulary of one word",
        inputs=draw(rng, 3, 1, 61),
        options={"width": 3, "max_new": 4},
        rule=ONE,
        note="There is one word, and nothing to choose.",
    )
    while True:
        single = draw(rng, 5, 7, 61)
        if len(set(single["prompt"].tolist())) > 2:
            break
    yield Case(
        "one new word",
        inputs=single,
        options={"width": 3, "max_new": 1},
        rule=ONE,
        note="The search is over after one turn.",
    )
    yield case(
        rng,
        "float64, equal in float32",
        (4, 13, 61),
        4,
        5,
        stop=1,
        near=True,
        differ=("single", "single sums", "single scores"),
        same=("shrinks", "transposed"),
        rule=PRECISION,
        note="Double precision: many sums differ by less than a ten-billionth.",
    )
    yield case(
        rng,
        "the prompt afterwards",
        (6, 5, 61),
        3,
        4,
        wants=("after.prompt",),
        rule=ALONE,
        note="The caller still needs the prompt. Only it is looked at here.",
    )
    yield case(
        rng,
        "views with gaps",
        (5, 6, 61),
        3,
        4,
        layout=dict.fromkeys(("prompt", "table"), "strided"),
        rule=VIEWS,
        note="The arrays have gaps between their elements.",
    )
    yield case(
        rng,
        "read-only arrays",
        (6, 7, 61),
        3,
        5,
        layout=dict.fromkeys(("prompt", "table"), "readonly"),
        rule=VIEWS,
        note="In NumPy the inputs refuse to be written to.",
    )
    while True:
        inputs = until(rng, (5, 6, 61), 2, 5, None, 0.0)
        earlier = {**inputs, "prompt": rng.integers(0, 6, 5)}
        if search(earlier, 2, 5, None, 0)[1] > search(inputs, 2, 5, None, 0)[1]:
            break
    yield Case(
        "a second prompt",
        inputs={**inputs, "earlier": earlier["prompt"]},
        options={"width": 2, "max_new": 5},
        rule=NO_MEMORY,
        note="Another prompt of the same length was searched before, with a better result.",
    )
    yield case(
        rng,
        "the only text ends",
        (3, 6, 61),
        1,
        6,
        stop=3,
        alpha=1.0,
        differ=("refill",),
        ends=True,
        wants=("tokens",),
        rule=FREES,
        note="With a width of 1, the search is over as soon as the text ends.",
    )
    for name, sizes, width, most, stop in (
        ("the first word ends a text", (4, 5, 61), 3, 4, 2),
        ("one of four beams ends at once", (3, 7, 61), 4, 6, 4),
    ):
        yield case(
            rng,
            name,
            sizes,
            width,
            most,
            stop=stop,
            differ=("unended",),
            same=("early", "closed", "compete"),
            first=True,
            note="The best text is the stop token alone, and others go on.",
        )


def domain(rng):
    """Any sizes, widths, stop tokens and powers."""
    for number in range(60):
        n, V = int(rng.integers(1, 5)), int(rng.integers(1, 7))
        inputs = draw(rng, n, V, int(rng.choice([7, 13, 31])))
        if rng.random() < 0.3:
            inputs["table"] = np.round(inputs["table"] / 40)
        if rng.random() < 0.3:
            inputs["table"] = inputs["table"] - 1 - beyond_float32(rng, inputs["table"].shape)
        options = {"width": int(rng.integers(1, 6)), "max_new": int(rng.integers(1, 7))}
        options["alpha"] = float(rng.choice([0, 0, 1]))
        if rng.random() < 0.7:
            options["stop"] = int(rng.integers(0, V))
        if rng.random() < 0.3:
            inputs["earlier"] = rng.integers(0, V, n)
        yield Case(str(number), inputs=inputs, options=options)
