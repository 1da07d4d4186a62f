"""Speculative decoding: in each place a guess has the ratio of probabilities that the case wants, and
u lies well below or above it. An accepted guess has u above its own probability, so that a rule
without a ratio shows.
"""

import numpy as np

from grader.case import Case, in_float64

ENDS = "The first refusal ends it"
ONE_MORE = "All accepted gives one more"
NONE = "None may be accepted"
SHARED = "What is left is shared out"
ALWAYS = "A likelier guess is always accepted"
NEVER = "An impossible guess is never accepted"
ZEROS = "Probabilities may be 0"
EQUAL = "Equal sizes change nothing"
ONE = "Any size may be one"
PRECISION = "Keeps precision"
ALONE = "Leaves its inputs alone"
VIEWS = "Takes views and read-only arrays"
NO_MEMORY = "Remembers nothing between calls"

NAMES = ("draft_probs", "target_probs", "draft_tokens", "u")
NEARLY_ONE = float(np.float32(1) - np.float32(2.0**-24))


def row(rng, V, token, probability):
    """Probabilities of which that of one token is given."""
    others = np.exp(rng.normal(0, 0.6, V))
    others[token] = 0
    others *= (1 - probability) / others.sum()
    others[token] = probability
    return others


# By fate: the probability in the small model, the ratio, and u as a share of the way from 0 to the
# ratio (what is accepted) or from there to 1 (what is refused). The ranges are so far apart that
# another rule accepts all guesses of a fate, or none, under every seed.
ACCEPTED = {
    "less": ((0.2, 0.4), (0.76, 0.8), (0.81, 0.93)),
    "more": ((0.15, 0.3), (1.3, 2), None),
    "much": ((0.36, 0.4), (0.76, 0.8), (0.81, 0.93)),
    "little": ((0.15, 0.17), (1.3, 1.7), None),
}
REFUSED = {
    "refused": ((0.2, 0.25), (0.33, 0.4), (0.55, 0.65)),
    "nearly": ((0.2, 0.25), (0.52, 0.6), (0.55, 0.65)),
    "hardly": ((0.35, 0.45), (0.05, 0.1), (0.1, 0.2)),
    "certain": ((0.85, 0.95), (0.05, 0.1), (0.1, 0.2)),
}


def place(rng, V, token, fate):
    """q, p and u of one place, of which a guess has this fate: accepted although the large model finds
    it "less" likely, or because it finds it "more" likely ("much" and "little" are such with a larger
    and a smaller probability in the small model), or refused with an ordinary, a large
    ("nearly") or a small ratio ("hardly"; and of one of which the small model was "certain").
    """
    (q, ratio, share) = (ACCEPTED | REFUSED)[fate]
    q, ratio = rng.uniform(*q), rng.uniform(*ratio)
    u = rng.uniform(0.85, 0.95) if share is None else ratio * rng.uniform(*share)
    if fate in REFUSED:
        u = ratio + (1 - ratio) * rng.uniform(*share)
    return row(rng, V, token, q), row(rng, V, token, ratio * q), u


def step(rng, V, *fates, tokens=None):
    """A step with a guess for each fate. Guesses differ from one another where V allows."""
    K = len(fates)
    if tokens is None:
        tokens = np.resize(rng.permutation(V), K)
    parts = [place(rng, V, token, fate) for token, fate in zip(tokens, fates, strict=True)]
    drafts, targets, u = zip(*parts, strict=True)
    last = row(rng, V, rng.integers(V), rng.uniform(0.2, 0.4))
    return typed(drafts, [*targets, last], tokens, u)


def typed(draft_probs, target_probs, draft_tokens, u, dtype=np.float32):
    return {
        "draft_probs": np.array(draft_probs, dtype=dtype),
        "target_probs": np.array(target_probs, dtype=dtype),
        "draft_tokens": np.array(draft_tokens, dtype=np.int64),
        "u": np.array(u, dtype=dtype),
    }


def alike(rng, V, fates, dtype=np.float32):
    """In each place the guess is nearly certain, and the models differ by hardly a ten-thousandth: in the last
    one the guess gives it to two other tokens and is refused, before that it gets it from them.
    What is moved is a whole number of units of the last place, so a difference is exact. Rows sum
    to 1 up to rounding only.
    """
    drafts, targets, tokens, u = [], [], [], []
    for fate in fates:
        token, first, second = map(int, rng.choice(V, 3, replace=False))
        q = np.round(rng.uniform(0.001, 0.002, V) * 2**20) / 2**20
        q[token] += 1 + 4 * np.finfo(dtype).eps - q.sum()
        moved = np.round(rng.uniform(0.00003, 0.000049, 2) * 2**20) / 2**20
        sign = 1 if fate == "refused" else -1
        p = q.copy()
        p[[first, second]] += sign * moved
        p[token] -= sign * moved.sum()
        drafts.append(q)
        targets.append(p)
        tokens.append(token)
        share = rng.uniform(0.2, 0.5)
        u.append(1 - share * (moved.sum() / q[token] if fate == "refused" else 1e-3))
    targets.append(row(rng, V, 0, 0.3))
    return typed(drafts, targets, tokens, u, dtype)


def unsplittable(rng, V):
    """As `alike`, with a large token among those that gain, whose probabilities lie between two
    numbers of float32: rounded, the difference is wrong by nearly a unit of the last place.
    """
    inputs = alike(rng, V, ["more", "refused"], np.float64)
    q, p = inputs["draft_probs"][1], inputs["target_probs"][1]
    q[:] = rng.uniform(0.8, 1.2, V)
    q *= 0.2 / q[2:].sum()
    q[:2] = 0.6 + rng.uniform(0, 0.05), 0.15
    q[0] = float(np.float32(q[0])) - 0.4 * 2.0**-24
    q[2] += 1 - q.sum()
    moved = float(np.float32(rng.uniform(0.0003, 0.0004)))
    p[:] = q
    p[0] = float(np.float32(q[0] + moved)) + 0.4 * 2.0**-24
    p[2] += 0.0006
    p[1] += 1 - p.sum()
    inputs["draft_tokens"][1] = 1
    inputs["u"][1] = (1 + p[1] / q[1]) / 2
    return inputs


def cases(rng):
    yield Case(
        "two of three guesses",
        inputs=typed(
            [[0.1, 0.4, 0.2, 0.3], [0.25, 0.25, 0.3, 0.2], [0.4, 0.3, 0.2, 0.1]],
            [
                [0.3, 0.3, 0.2, 0.2],
                [0.2, 0.1, 0.6, 0.1],
                [0.1, 0.4, 0.15, 0.35],
                [0.25, 0.3, 0.2, 0.25],
            ],
            [1, 2, 0],
            [0.5, 0.9, 0.6],
        ),
        sample=True,
        same="a vocabulary of four tokens, and four rows of the large model: V = M",
        note="The third guess is refused: its ratio is a quarter.",
    )
    yield Case(
        "all accepted",
        inputs=typed(
            [[0.2, 0.5, 0.3], [0.6, 0.3, 0.1]],
            [[0.1, 0.7, 0.2], [0.5, 0.1, 0.4], [0.3, 0.5, 0.2]],
            [1, 0],
            [0.95, 0.7],
        ),
        sample=True,
        rule=ONE_MORE,
        same="a vocabulary of three tokens, and three rows of the large model: V = M",
        note="Both guesses are kept, and the last row says what follows them.",
    )
    yield Case(
        "the fourth of five",
        inputs=step(rng, 11, "more", "less", "less", "nearly", "refused"),
        note="Three guesses are accepted, two of which the large model finds less likely.",
    )
    yield Case(
        "the second of four",
        inputs=step(rng, 9, "less", "refused", "refused", "refused"),
        layout=dict.fromkeys(("draft_probs", "target_probs"), "transposed"),
        note="A guess is accepted, and the next is refused.",
    )
    yield Case(
        "the last of six",
        inputs=step(rng, 5, "less", "more", "less", "more", "less", "nearly"),
        note="Only the last guess is refused.",
    )
    yield Case(
        "a large vocabulary",
        inputs=unlikely_first(rng, 4099, "less", "more", "refused", "refused"),
        note="Four thousand tokens, nearly all of which are unlikely in both models; most of all the "
        "first guess, which is accepted.",
    )
    yield Case(
        "likely guesses behind a refusal",
        inputs=step(rng, 8, "more", "refused", "more", "less", "more"),
        rule=ENDS,
        note="What comes behind the second guess would be accepted by itself.",
    )
    yield Case(
        "refused, accepted, refused",
        inputs=step(rng, 13, "hardly", "more", "less", "refused", "more", "more"),
        rule=ENDS,
        note="The first guess is refused, and one further on as well.",
    )
    yield Case(
        "four of four",
        inputs=step(rng, 7, "much", "little", "much", "little"),
        rule=ONE_MORE,
        note="All guesses are accepted.",
    )
    twice = rng.permutation(6)[[0, 0, 1, 2, 3, 4, 5]]  # likely in the second row as well
    yield Case(
        "seven of seven",
        inputs=step(rng, 6, "little", *["more", "less"] * 3, tokens=twice),
        rule=ONE_MORE,
        note="All guesses are accepted, more than there are tokens.",
    )
    yield Case(
        "none of three",
        inputs=step(rng, 6, "hardly", "refused", "refused"),
        rule=NONE,
        note="The first guess is refused, and so would be the others.",
    )
    yield Case(
        "nearly of one mind",
        inputs=alike(rng, 8, ["more", "more", "refused"]),
        rule=SHARED,
        note="The models differ by less than a ten-thousandth, and the last guess is refused all the same.",
    )
    yield Case(
        "two tokens gain",
        inputs=few_gain(rng, 12),
        rule=SHARED,
        note="Only two tokens are likelier in the large model than in the small one.",
    )
    close = step(rng, 10, "more", "more", "more", "more", "more", "refused")
    close["u"][:5] = NEARLY_ONE
    for at, probability in ((1, growing(rng)), (2, 1e-8), (4, shrinking(rng))):
        same = row(rng, 10, close["draft_tokens"][at], probability)
        close["draft_probs"][at] = close["target_probs"][at] = same
    yield Case(
        "u next to one",
        inputs=close,
        rule=ALWAYS,
        note="In three places both models say the same, and u is as near to 1 as float32 allows; one of "
        "these guesses is very unlikely.",
    )
    yield Case(
        "an impossible guess",
        inputs=impossible(rng, 13, "less", "more", "refused"),
        rule=NEVER,
        note="The large model rules the third guess out, and u is 0 there.",
    )
    zeros = with_zeros(rng, 9, "less", "more", "less", "refused", "refused")
    first, token = zeros["target_probs"][0], zeros["draft_tokens"][0]
    first[token] = 0
    first /= first.sum()
    first[token] = 10.0 ** rng.uniform(-25, -24)
    yield Case(
        "many zeros",
        inputs=zeros,
        rule=ZEROS,
        note="Both models rule tokens out, and not the same ones. One u is 0, and the large model finds "
        "that guess as good as impossible, but not quite.",
    )
    yield Case(
        "zeros behind the last guess",
        inputs=with_zeros(rng, 15, "less", "more", "less"),
        rule=ZEROS,
        note="All guesses are accepted, and the large model rules some tokens out behind them.",
    )
    yield Case(
        "square",
        inputs=square(rng, 5),
        rule=EQUAL,
        same="as many guesses as tokens: K = V",
        note="Five guesses from a vocabulary of five.",
    )
    yield Case(
        "one guess, accepted",
        inputs=step(rng, 4, "less"),
        wants=("tokens",),
        rule=ONE,
        note="A single guess is kept.",
    )
    yield Case(
        "one guess, refused",
        inputs=step(rng, 5, "refused"),
        rule=ONE,
        note="A single guess is refused.",
    )
    certain = typed([[1]], [[1], [1]], [0], rng.uniform(0.2, 0.9, 1))
    yield Case(
        "one token",
        inputs=certain,
        same="one guess from a vocabulary of one token: K = V = 1",
        rule=ONE,
        note="A vocabulary of one token: there is nothing else to say.",
    )
    yield Case(
        "float64, nearly of one mind",
        inputs=unsplittable(rng, 6),
        rule=PRECISION,
        note="Double precision: what is left is the difference of numbers that float32 rounds.",
    )
    yield Case(
        "float64, all accepted",
        inputs=by_a_hair(rng, 9),
        rule=PRECISION,
        note="Double precision: a guess is accepted by a hair, and the last row keeps all digits.",
    )
    yield in_float64(
        Case(
            "inputs afterwards",
            inputs=step(rng, 7, "less", "more", "refused", "refused"),
            wants=tuple(f"after.{name}" for name in NAMES),
            rule=ALONE,
            note="The caller goes on using the four arrays. Only they are looked at here.",
        )
    )
    yield Case(
        "read-only inputs",
        inputs=step(rng, 10, "more", "less", "refused"),
        layout=dict.fromkeys(NAMES, "readonly"),
        rule=ALONE,
        note="The inputs refuse to be written to.",
    )
    yield Case(
        "views",
        inputs=step(rng, 12, "less", "less", "more", "refused", "refused"),
        layout=dict.fromkeys(NAMES, "strided"),
        rule=VIEWS,
        note="The inputs have gaps between their entries.",
    )
    yield Case(
        "a second call",
        inputs=step(rng, 14, "less", "more", "nearly", "refused"),
        before=step(rng, 14, *["certain"] * 4),
        rule=NO_MEMORY,
        note="The second call has the shapes of the first, and other numbers.",
    )


def unlikely_first(rng, V, *fates):
    """As `step`; both models find the first guess as good as impossible, with the same ratio."""
    inputs = step(rng, V, *fates)
    token, q = inputs["draft_tokens"][0], rng.uniform(1e-12, 2e-12)
    ratio = inputs["target_probs"][0, token] / inputs["draft_probs"][0, token]
    inputs["draft_probs"][0] = row(rng, V, token, q)
    inputs["target_probs"][0] = row(rng, V, token, ratio * q)
    return inputs


def growing(rng):
    """A probability that grows when it is rounded: to sixteen bits, to four digits or to six."""
    found = np.ceil((np.arange(1100, 1500) / 4096 - 2e-5) * 1e6) / 1e6 - 3e-7
    return rng.choice(found[found % 1e-4 > 6e-5])


def shrinking(rng):
    """A probability that shrinks when it is rounded."""
    found = np.floor((np.arange(1100, 1500) / 4096 + 2e-5) * 1e6) / 1e6 + 3e-7
    return rng.choice(found[found % 1e-4 < 4e-5])


def exact(inputs):
    """The same in float64, where each row sums to 1."""
    same = {name: x if x.dtype == np.int64 else x.astype(float) for name, x in inputs.items()}
    for name in ("draft_probs", "target_probs"):
        same[name] /= same[name].sum(axis=1, keepdims=True)
    return same


def square(rng, V):
    """As many guesses as tokens. With rows and columns of the small model exchanged, another number
    of them is accepted.
    """
    while True:
        inputs = step(
            rng, V, "less", "more", "less", "refused", "refused", tokens=rng.permutation(V)
        )
        q, p, x, u = (inputs[name] for name in NAMES)
        kept = u * q[x, range(V)] < p[range(V), x]
        if kept[:3].sum() < 3 or kept[3]:
            return inputs


def by_a_hair(rng, V):
    """In float64 both guesses are accepted. In float32 the second one's ratio is rounded below u,
    also where only one of the three is rounded: q lies nearly half a unit of the last place below a
    number of float32, and p above one.
    """
    while True:
        inputs = exact(step(rng, V, "more", "less"))
        token = inputs["draft_tokens"][1]
        for name, sign in (("draft_probs", -1), ("target_probs", 1)):
            probs = inputs[name][1]
            near = np.float32(probs[token])
            probs[token] = float(near) + sign * 0.45 * float(np.spacing(near))
            probs[token - 1] += 1 - probs.sum()
        q, p = inputs["draft_probs"][1, token], inputs["target_probs"][1, token]
        u = p / q * (1 - 2.5e-8)
        if np.float32(p) / np.float32(q) < u and p < np.float32(u) * q:
            inputs["u"][1] = u
            return inputs


def few_gain(rng, V):
    """In the last place all tokens but two are less likely in the large model, by a tenth."""
    inputs = step(rng, V, "less", "refused")
    q, p = inputs["draft_probs"][1].astype(float), inputs["target_probs"][1]
    token = inputs["draft_tokens"][1]
    gain = rng.permutation(np.delete(np.arange(V), token))[:2]
    p[:] = 0.9 * q
    p[token] = 0.5 * q[token]
    p[gain] += (1 - p.sum()) * np.array([0.3, 0.7])
    inputs["u"][1] = rng.uniform(0.6, 0.9)
    return inputs


def impossible(rng, V, *fates):
    """As `step`; what is refused has the probability 0, and u is 0."""
    inputs = step(rng, V, *fates)
    at = fates.index("refused")
    p = inputs["target_probs"][at]
    p[inputs["draft_tokens"][at]] = 0
    p /= p.sum()
    inputs["u"][at] = 0
    return inputs


def with_zeros(rng, V, *fates):
    """As `step`; in every place three tokens have a probability of 0 in one model or in both, and the
    first u is 0. The guesses keep their probabilities.
    """
    inputs = step(rng, V, *fates)
    for name in ("draft_probs", "target_probs"):
        for i, probs in enumerate(inputs[name]):
            token = inputs["draft_tokens"][min(i, len(fates) - 1)]
            others = np.delete(np.arange(V), token)
            gone = others[:2] if name == "draft_probs" else others[1:3]
            kept = probs[token]
            probs[gone], probs[token] = 0, 0
            probs *= (1 - kept) / probs.sum()
            probs[token] = kept
    inputs["u"][0] = 0
    return inputs


def domain(rng):
    """Any small number of guesses and tokens, zeros in both models, equal rows, both dtypes."""
    for number in range(80):
        K, V = int(rng.choice([1, 1, 2, 3, 5])), int(rng.choice([1, 2, 3, 4, 7]))
        q, p = (
            np.exp(rng.normal(0, 1, (n, V))) * (rng.random((n, V)) < rng.choice([0.6, 1]))
            for n in (K, K + 1)
        )
        tokens = rng.integers(0, V, K)
        q[np.arange(K), tokens] += 0.3
        p[np.arange(K + 1), rng.integers(0, V, K + 1)] += 0.3
        q, p = (x / x.sum(axis=1, keepdims=True) for x in (q, p))
        same = rng.random(K) < 0.2
        p[:-1][same] = q[same]
        ratio = (p[np.arange(K), tokens] / q[np.arange(K), tokens]).clip(0, 1)
        accepted = rng.random(K) < 0.6
        u = np.where(
            accepted, ratio * rng.uniform(0, 0.9, K), ratio + (1 - ratio) * rng.uniform(0.1, 0.9, K)
        )
        u = np.where(same | (ratio > 0.99), rng.uniform(0, 0.99, K), u)
        dtype = rng.choice([np.float32, np.float64])
        yield Case(str(number), inputs=typed(q, p, tokens, u, dtype))
