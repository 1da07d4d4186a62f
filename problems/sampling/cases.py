"""Sampling: what stays, in which order, and on which word u falls.

Probabilities are made from small whole numbers, so every sum of them is a fraction with a
denominator below N; u and top_p are fractions with the denominator 2 N, N prime. No two of them are
equal, and none is nearer to another than 1 / 2 N^2, which no rounding reaches.
"""

import numpy as np

from grader.case import Case, in_float64, until

COOL = "Temperature comes first"
ZERO = "A temperature of 0 takes the best word"
TOP_K = "Top k keeps k words"
TOP_P = "Top p keeps the word that reaches it"
ORDER = "Top k comes before top p"
EQUAL = "Of equal logits the lower index comes first"
ENDS = "u may be 0 or next to 1"
NEVER = "Minus infinity is a word that cannot come"
LARGE = "Large logits"
ONE = "Any size may be one"
PRECISION = "Keeps precision"
ALONE = "Leaves its inputs alone"
VIEWS = "Takes views and read-only arrays"
NO_MEMORY = "Remembers nothing between calls"

N = 211  # prime, and larger than any sum of the whole numbers below


def odd(number):
    """The fraction with the denominator 2 N that is nearest to a number, and not a half."""
    return (2 * int(number * N) + 1) / (2 * N) if int(number * N) != N // 2 else (N + 2) / (2 * N)


def numbers(rng, n):
    """n different numbers u, one in each of n equal parts of the way from 0 to 1."""
    return np.array([odd((i + rng.uniform(0.1, 0.9)) / n) for i in range(n)])


def logits_of(weights, power=1.0):
    """Logits whose probabilities at the temperature `power` are as these weights."""
    with np.errstate(divide="ignore"):  # a weight of 0 is a word that cannot come
        return (power * np.log(np.asarray(weights, dtype=float))).astype(np.float32)


def around(weights, off=1e-4):
    """Numbers u close to the ends of the words on either side, but for the last end."""
    ends = np.cumsum(weights)[:-1] / np.sum(weights)
    return np.concatenate([ends - off, ends + off])


def case(name, logits, u, temperature=1.0, top_k=0, top_p=1.0, **rest):
    return Case(
        name,
        inputs={"logits": logits, "u": u},
        options={"temperature": temperature, "top_k": top_k, "top_p": top_p},
        **rest,
    )


def least_first(rng, weights):
    """These weights in any order, but for a least one in front: a nucleus gathered in the order of the
    vocabulary has it, and one from the best word down has not.
    """
    weights = np.sort(weights)
    return np.append(weights[:1], rng.permutation(weights[1:]))


def middle(rng, weights, words):
    """A top_p that is reached by the last of so many words, about half way through it."""
    ranked = np.sort(weights)[::-1]
    return odd(
        (ranked[: words - 1].sum() + rng.uniform(0.3, 0.7) * ranked[words - 1]) / sum(weights)
    )


def falling_short(rng):
    """A number of equally likely words whose probabilities, added up one by one, stay a little below 1
    in float32 and in float64, and also where float32 ones are added up in float64 and rounded then.
    """
    for n in rng.permutation(np.arange(400, 1100)).tolist():
        single, double = np.full(n, 1 / n, np.float32), np.full(n, 1 / n)
        rounded = np.float32(single.sum(dtype=float))
        if max(single.cumsum()[-1], double.cumsum()[-1], rounded) < 1:
            return n


def neighbours(rng):
    """Logits whose best two are neighbours in float32, the worse one first, and a temperature."""
    best = np.float32(rng.uniform(1.95, 1.99))
    worse = np.nextafter(best, np.float32(0))
    logits = np.concatenate([rng.uniform(-1, 1, 2), [worse, best], rng.uniform(-1, 1, 2)])
    return {"logits": logits.astype(np.float32), "temperature": round(rng.uniform(1.7, 1.9), 2)}


def equal_quotients(drawn):
    worse, best = drawn["logits"][2:4] / np.float32(drawn["temperature"])
    return worse == best


def cases(rng):
    yield case(
        "five words",
        logits_of([2, 5, 1, 8, 3]).round(2),
        np.array([0.1, 0.25, 0.5, 0.93]),
        sample=True,
        note="Nothing is cut off: the words lie side by side, and u falls on one of them.",
    )
    yield case(
        "the three best of six words",
        logits_of([4, 1, 9, 2, 7, 3]).round(2),
        np.array([0.15, 0.4, 0.75, 0.99]),
        top_k=3,
        sample=True,
        rule=TOP_K,
        note="Three words stay, and share the probability anew.",
    )
    yield case(
        "a nucleus of four fifths",
        logits_of([1, 6, 2, 3, 8, 4]).round(2),
        np.array([0.1, 0.33, 0.6, 0.9]),
        top_p=0.8,
        sample=True,
        rule=TOP_P,
        note="The word that reaches four fifths is the last to stay.",
    )
    yield case(
        "seven words",
        logits_of(rng.permutation([1, 2, 3, 5, 8, 13, 21])),
        numbers(rng, 24),
        note="Nothing is cut off; u goes over the whole range.",
    )
    weights = rng.permutation([4, 5, 6, 7, 8, 9, 10, 11])
    yield case(
        "even chances",
        logits_of(weights),
        np.concatenate([numbers(rng, 31), around(weights)]),
        note="Eight words that are about equally likely, laid out in the order of the vocabulary.",
    )
    yield case(
        "a cool draw",
        logits_of(rng.permutation([1, 2, 3, 4, 6, 9]), 0.5),
        numbers(rng, 26),
        temperature=0.5,
        note="A low temperature: the logits are only half as far apart as the probabilities tell.",
    )
    yield case(
        "a hot draw",
        logits_of(rng.permutation([2, 3, 5, 7, 11, 17]), 2.0),
        numbers(rng, 27),
        temperature=2.0,
        note="A high temperature: the logits are twice as far apart.",
    )
    weights = least_first(rng, [1, 2, 4, 7, 12, 20, 31])
    yield case(
        "a cool nucleus",
        logits_of(weights, 0.5),
        numbers(rng, 24),
        temperature=0.5,
        top_p=middle(rng, weights, 3),
        rule=COOL,
        note="With these probabilities three words make the nucleus; without the temperature there are more.",
    )
    weights = least_first(rng, [5, 6, 8, 10, 13, 16])
    yield case(
        "a hot nucleus",
        logits_of(weights, 2.0),
        numbers(rng, 25),
        temperature=2.0,
        top_p=middle(rng, weights, 4),
        rule=COOL,
        note="With these probabilities four words make the nucleus; without the temperature there are fewer.",
    )
    yield case(
        "temperature 0",
        logits_of([9, *rng.permutation([3, 5, 7, 8])]),
        numbers(rng, 9),
        temperature=0.0,
        rule=ZERO,
        note="The best word, which is word 0, wherever u falls.",
    )
    # below 0, at 0 and above it; the word farthest from 0 is the worst, and stands first
    yield case(
        "temperature 0, and limits as well",
        logits_of([3, *rng.permutation([5, 7, 8, 9, 11])] / np.float64(9)),
        numbers(rng, 9),
        temperature=0.0,
        top_k=3,
        top_p=odd(0.9),
        rule=ZERO,
        note="The best word, whatever else is asked for.",
    )
    weights = np.array([2, *rng.permutation([3, 5, 8, 9, 10, 14])])
    yield case(
        "top 4 of seven",
        logits_of(weights / 15),  # all below 0
        numbers(rng, 24),
        top_k=4,
        rule=TOP_K,
        note="Four words stay, in the order of the vocabulary.",
    )
    yield case(
        "top 1",
        logits_of(rng.permutation([5, 6, 7, 8, 9, 11]) / 9),  # the second word is at 0
        numbers(rng, 10),
        top_k=1,
        rule=TOP_K,
        note="One word stays.",
    )
    hair = np.arange(1, 8) * 1e-9
    hair[rng.permutation(7)[:3]] = -1, -2, -3
    yield case(
        "top 1 by a hair",
        hair.astype(np.float32),
        numbers(rng, 11),
        top_k=1,
        rule=TOP_K,
        note="The best word, though its probability rounds to that of others.",
    )
    # ascending, so that the best of them comes last
    close = np.insert(np.arange(1, 6) * 1e-20, rng.integers(6), np.log(5 / 3))
    yield case(
        "top 2 by a hair",
        close.astype(np.float32),
        numbers(rng, 13),
        top_k=2,
        rule=TOP_K,
        note="One word is the best by far, and the others differ by less than their distance to it is rounded.",
    )
    yield case(
        "top 9 of five",
        logits_of(rng.permutation([3, 4, 5, 7, 9])),
        numbers(rng, 22),
        top_k=9,
        rule=TOP_K,
        note="More words are asked for than there are.",
    )
    for words, n in ((2, 23), (5, 28)):
        weights = least_first(rng, [2, 3, 4, 7, 9, 12, 15, 19])
        yield case(
            f"a nucleus of {words} words",
            logits_of(weights / 19),  # the best word is at 0
            numbers(rng, n),
            top_p=middle(rng, weights, words),
            rule=TOP_P,
            note="The sum reaches top_p in the middle of a word.",
        )
    yield case(
        "a nucleus of one word",
        logits_of(least_first(rng, [2, 3, 4, 5, 20])),
        numbers(rng, 12),
        top_p=odd(rng.uniform(0.02, 0.3)),
        rule=TOP_P,
        note="The best word alone is more likely than top_p, and stays.",
    )
    sure = rng.uniform(-22, -19, 6)
    sure[rng.integers(1, 6)] = 0
    yield case(
        "a nucleus of everything",
        sure.astype(np.float32),
        np.array([0.0, *numbers(rng, 7)]),
        rule=TOP_P,
        note="top_p is 1, and one word has all but a few billionths of the probability.",
    )
    weights = np.array([9, *rng.permutation([6, 7, 8, 10, 11, 12])])  # the fourth stands first
    yield case(
        "top 4, and a nucleus of them",
        logits_of(weights),
        numbers(rng, 27),
        top_k=4,
        top_p=middle(rng, np.sort(weights)[-4:], 3),
        rule=ORDER,
        note="Of the four best, three make the nucleus; of all words it would be more.",
    )
    yield case(
        "top 3 of equals",
        logits_of(rng.permutation([1, 5, 5, 5, 5, 9])),
        numbers(rng, 21),
        top_k=3,
        rule=EQUAL,
        note="Four words are equally likely, and two of them stay.",
    )
    yield case(
        "a nucleus among equals",
        logits_of(least_first(rng, [3, 3, 7, 7, 7, 7, 7])),
        numbers(rng, 22),
        top_p=odd(rng.uniform(0.45, 0.5)),
        rule=EQUAL,
        note="Five words are equally likely, and three of them reach top_p.",
    )
    yield case(
        "temperature 0 among equals",
        logits_of(np.array([2, *rng.permutation([2, 9, 9, 9, 4, 4])]) / 10),
        numbers(rng, 8),
        temperature=0.0,
        rule=EQUAL,
        note="The best word occurs three times, and all logits are below 0.",
    )
    yield case(
        "top 40 of hundreds of equals",
        logits_of(rng.permutation(np.repeat([1, 2, 3], [90, 151, 160]))),
        numbers(rng, 29),
        top_k=40,
        rule=EQUAL,
        note="A hundred and sixty words are equally good, too many for a sort that is not stable.",
    )
    # the words at both ends are cut off, so neither end of the vocabulary is an answer
    inner = rng.permutation([6, 7, 9, 11])
    yield case(
        "both ends of u",
        logits_of([2, *inner, 3]),
        np.array([0.0, 1e-9, 1 - 1e-9, 1 - 2.0**-53]),
        top_k=4,
        rule=ENDS,
        note="u is 0, or as near to 1 as a number can be; the first word and the last are cut off.",
    )
    wide = rng.uniform(0.5, 1.0, 1009).astype(np.float32)
    wide[[0, -1]] = -3
    yield case(
        "both ends of u, a thousand words",
        wide,
        np.array([0.0, 1 - 2.0**-53]),
        top_k=1007,
        rule=ENDS,
        note="A thousand probabilities, whose sum is rounded again and again.",
    )
    yield case(
        "both ends of u, and words that cannot come",
        np.pad(np.full(falling_short(rng), 0.7, np.float32), 1, constant_values=-np.inf),
        np.array([0.0, 1 - 2.0**-53]),
        rule=NEVER,
        note="Nothing is cut off, and the words at both ends have the logit minus infinity.",
    )
    weights = np.zeros(7, int)
    weights[[1, 2, 4, 5]] = least_first(rng, rng.permutation([5, 6, 8, 9, 12, 14, 17])[:4])
    yield case(
        "some words cannot come",
        logits_of(weights),
        np.array([0.0, *numbers(rng, 21), 1 - 1e-9]),
        top_p=middle(rng, weights, 3),
        rule=NEVER,
        note="Logits of minus infinity, also at both ends.",
    )
    few = logits_of(rng.permutation([5, 7, 8, 9, 11, 13]))
    few[rng.permutation([0, 2, 4, 5])[:3]] = -np.inf
    yield case(
        "fewer words than top k",
        few,
        np.array([0.0, *numbers(rng, 19), 1 - 1e-9]),
        top_k=5,
        rule=NEVER,
        note="Only three words can come, and five are asked for.",
    )
    for sign, n in ((1, 14), (-1, 16)):
        large = sign * 9_000 + np.array([0, -1, -2, -800, 900 if sign < 0 else -15_000])
        if sign < 0:
            large[-1] = -9_990
        yield case(
            f"logits near {sign * 9_000}",
            rng.permutation(large).astype(np.float32),
            numbers(rng, n),
            rule=LARGE,
            note="Three words are close to each other, far away from 0.",
        )
    low = np.array([-9_997, -9_998, -9_998.5, -9_999, -np.inf, -np.inf, -np.inf])
    yield case(
        "logits near -10 000 beside minus infinity",
        rng.permutation(low).astype(np.float32),
        numbers(rng, 18),
        rule=LARGE,
        note="However low a logit is, it is not as low as that of a word that cannot come.",
    )
    yield case(
        "a temperature of a thousandth",
        (rng.permutation([2.5, 2.5, 2, -3, 1]) - 9_990).astype(np.float32),
        numbers(rng, 17),
        temperature=0.001,
        top_k=4,
        rule=LARGE,
        note="Two words are equally good, and nothing else has a chance. All logits are near -10 000, and one word is cut off.",
    )
    yield case(
        "every logit near -40",
        rng.permutation([-40, -40.5, -41.2, -42, -43]).astype(np.float32),
        numbers(rng, 15),
        rule=LARGE,
        note="All logits lie near -40, and their differences are ordinary.",
    )
    yield case(
        "one word",
        rng.normal(size=1).astype(np.float32),
        np.array([0.0, *numbers(rng, 4), 1 - 1e-9]),
        top_k=1,
        rule=ONE,
        note="A vocabulary of one word.",
    )
    # the best word is the last of those that float32 takes for equal
    near = 500 + np.array([0.0, 1e-9, 2e-9, -1.0, -2.0])[np.array([3, 0, 1, 4, 2])]
    yield case(
        "float64, told apart",
        near + rng.uniform(0, 1),
        numbers(rng, 7),
        top_k=1,
        rule=PRECISION,
        note="Double precision: three logits differ by a billionth.",
    )
    yield case(
        "float64 at temperature 0",
        np.append(near, -7) + rng.uniform(0, 1),
        numbers(rng, 7),
        temperature=0.0,
        rule=PRECISION,
        note="Double precision: three logits differ by a billionth.",
    )
    weights = rng.permutation([3, 4, 6, 9, 14, 21, 30])
    yield case(
        "float64, close together",
        0.6 + 0.001 * np.log(weights),
        around(weights, 1e-6),
        temperature=0.001,
        rule=PRECISION,
        note="Double precision: the logits differ by thousandths, and the temperature is as small.",
    )
    weights = rng.permutation([2, 3, 4, 6, 9, 14, 21, 30])
    yield case(
        "float64, a nucleus by a hair",
        np.log(weights / np.float64(7)),
        numbers(rng, 11),
        top_p=30 / 89 + 1e-6,
        rule=PRECISION,
        note="Double precision: the best word stays a millionth below top_p, so a second one stays.",
    )
    weights = rng.permutation([2, 3, 4, 6, 9, 14, 21, 30])
    yield case(
        "float64, a nucleus reached by a hair",
        np.log(weights / np.float64(7)),
        numbers(rng, 12),
        top_p=30 / 89 - 1e-6,
        rule=PRECISION,
        note="Double precision: the best word is a millionth above top_p, so it stays alone.",
    )
    yield in_float64(
        case(
            "the logits afterwards",
            logits_of(rng.permutation([2, 3, 4, 6, 9, 10, 12])),
            numbers(rng, 3),
            temperature=0.7,
            top_k=5,
            top_p=odd(0.8),
            wants=("after.logits",),
            rule=ALONE,
            note="The caller still needs its logits. Only they are looked at here.",
        )
    )
    for name, layout, rule, note in (
        ("read-only logits", "readonly", ALONE, "In NumPy the logits refuse to be written to."),
        ("a view", "strided", VIEWS, "The logits have gaps between them."),
    ):
        weights = least_first(rng, [3, 4, 6, 9, 11, 14, 20, 23])
        yield case(
            name,
            logits_of(weights),
            numbers(rng, 20),
            top_p=middle(rng, weights, 5),
            layout={"logits": layout},
            rule=rule,
            note=note,
        )
    weights = np.array([3, 4, 6, 9, 11, 14, 20, 23, 25])
    logits = logits_of(least_first(rng, weights))
    other = logits_of(rng.permutation([1, 2, 2, 3, 3, 4, 5, 29, 31]))
    moved, u = np.append(logits[0], logits[:0:-1]), numbers(rng, 20)
    for name, limits, earlier, note in (
        ("a second call", {"top_p": middle(rng, weights, 5)}, other, "The first had other logits."),
        ("a second call for five words", {"top_k": 5}, moved, "The same numbers in another order."),
    ):
        yield case(
            name,
            logits,
            u,
            **limits,
            before={"logits": earlier, "u": u},
            rule=NO_MEMORY,
            note=note,
        )
    again = case(
        "an array filled again",
        logits,
        u,
        top_p=middle(rng, weights, 4),
        rule=NO_MEMORY,
        note="In an earlier call, other logits stood in the very array.",
    )
    again.inputs["earlier"] = other
    yield again
    yield case(
        "top 1 by a hair, at a temperature",
        **until("the quotients are equal", lambda: neighbours(rng), equal_quotients),
        u=numbers(rng, 12),
        top_k=1,
        rule=TOP_K,
        note="Two logits are neighbours in float32, and their quotients by the temperature are equal.",
    )


def domain(rng):
    """Any number of words, equal ones and impossible ones, any k and p, both dtypes."""
    for number in range(60):
        V = int(rng.choice([1, 2, 3, 5, 8]))
        weights = rng.integers(1, 20, V) if rng.random() < 0.6 else rng.integers(1, 4, V)
        temperature = float(rng.choice([0, 0.5, 1, 1, 2]))
        logits = logits_of(weights / rng.choice([1, 1, 3, 21]), temperature or 1.0)
        if rng.random() < 0.3:
            logits[rng.permutation(V)[: V // 2]] = -np.inf
        yield case(
            str(number),
            logits.astype(rng.choice([np.float32, np.float64])),
            np.array([0.0, *numbers(rng, 11), 1 - 1e-9]),
            temperature=temperature,
            top_k=int(rng.choice([0, 0, 1, 2, 3, 9])),
            top_p=1.0 if rng.random() < 0.4 else odd(rng.uniform(0.05, 0.95)),
        )
