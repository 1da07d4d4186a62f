"""What mistakes say of the judged cases, as sets of bits, and which of them explain most.

How they are weighed: docs/design/diagnosis.md.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

MOST = 3  # mistakes that are named at once
LIKELY = 12  # mistakes that are combined, those that explain most
TRIED = 240  # pairs that are run at once in one case
EACH = 0.5  # what a further mistake costs, in cases explained
MASKED = 1.0  # what a case costs in which a chosen mistake should show and does not
OFTEN = 2  # cases that show a mistake so surely that others need not
LEAST = 0.2  # of the failed cases; what explains fewer is more likely chance
Pair = tuple[str, str]  # of programs: each a mistake, or a variant of one


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """What one mistake, or two at once, say of the judged cases. Each set is a bit for a case."""

    names: tuple[str, ...]
    explains: int  # failed cases in which it does exactly what the submission does
    surely: int  # those of them in which that is no coincidence: see `certain`, `blank`
    fails: int  # failed cases in which it fails
    contradicts: int  # accepted cases in which it fails
    # what was run, `name` or, of a variant, `name~1`: see `fingerprints.programs`
    programs: tuple[str, ...]


def best(hypotheses: Sequence[Hypothesis], failed: int) -> tuple[tuple[str, ...], int]:
    """The names of the mistakes that explain most, and the cases that they explain; ((), 0) when
    nothing is likely enough. `failed` is the number of cases that failed.
    """
    likely = sorted((h for h in hypotheses if h.surely), key=lambda h: -h.explains.bit_count())
    names = list(dict.fromkeys(name for h in likely for name in h.names))[:LIKELY]
    order = {h.names[0]: i for i, h in enumerate(hypotheses) if len(h.names) == 1}
    leader: tuple[float, tuple[str, ...], int] = (0.0, (), 0)
    for size in range(1, MOST + 1):
        for chosen in combinations(sorted(names, key=order.__getitem__), size):
            score, explained = _score(hypotheses, frozenset(chosen))
            if score > leader[0] and explained.bit_count() >= LEAST * failed:
                leader = score, chosen, explained
    return leader[1], leader[2]


def _score(hypotheses: Iterable[Hypothesis], chosen: frozenset[str]) -> tuple[float, int]:
    """How well these mistakes together explain the cases (0.0: not at all), and which they do."""
    members = [h for h in hypotheses if chosen.issuperset(h.names)]
    explained, fails, contradicts, meeting = 0, 0, 0, 0
    for h in members:
        explained |= h.explains
        if len(h.names) == 1:
            meeting |= fails & h.fails
            fails, contradicts = fails | h.fails, contradicts | h.contradicts
    shown = [_shown_alone(members, name) for name in chosen]
    if not all(shown):
        return 0.0, 0
    surely = all(bits.bit_count() >= OFTEN for bits in shown)
    met = meeting & ~explained if surely else 0  # two act there, in a way that no pair has
    against = (fails & ~explained & ~met).bit_count() + contradicts.bit_count()
    if explained.bit_count() < 2 * against:
        return 0.0, 0
    cost = EACH * (len(chosen) - 1) + MASKED * sum(_masked(members, name, met) for name in chosen)
    return explained.bit_count() - against - cost, explained


def _masked(members: Sequence[Hypothesis], name: str, met: int) -> int:
    """In how many cases this mistake would fail, and only others are seen; not in those where two
    have met.
    """
    seen, fails = 0, 0
    for h in members:
        if name in h.names:
            seen |= h.explains
            fails |= h.fails if len(h.names) == 1 else 0
    return (fails & ~seen & ~met).bit_count()


def _shown_alone(members: Sequence[Hypothesis], name: str) -> int:
    """The cases that surely show this mistake, and that the others do not explain."""
    without, surely = 0, 0
    for h in members:
        if name in h.names:
            surely |= h.surely
        else:
            without |= h.explains
    return surely & ~without


def likeliest(variants: Sequence[Hypothesis]) -> Hypothesis:
    """Of a mistake and its variants, the one that explains most."""
    return max(variants, key=lambda h: h.explains.bit_count() - h.contradicts.bit_count())


def consistent(pair: Hypothesis, singles: Iterable[Hypothesis]) -> bool:
    """Can a submission have made both mistakes? Then both at once fail only where it fails, and do
    what it does wherever one of them alone does.
    """
    alone = [h.explains for h in singles if h.programs[0] in pair.programs]
    return not pair.contradicts and not any(explains & ~pair.explains for explains in alone)


def likely_pairs(singles: Sequence[Hypothesis], case: int, unexplained: int) -> list[Pair]:
    """The pairs that may explain a case, likeliest first: one of the two fails there alone, too.

    First those that seldom fail where the submission does not, then those that surely explain most
    cases, since one of the two shows alone where the other does not matter (no scale, and vectors
    of one number), then those that fail in most cases that nothing explains yet.
    """

    def unlikely(pair: tuple[Hypothesis, Hypothesis]) -> tuple[int, int, int]:
        one, two = pair
        contradicts, surely = one.contradicts | two.contradicts, one.surely | two.surely
        fails = (one.fails | two.fails) & unexplained
        return contradicts.bit_count(), -surely.bit_count(), -fails.bit_count()

    possible = [
        (one, two)
        for one, two in combinations(singles, 2)
        if (one.fails | two.fails) & case and one.names != two.names
    ]
    return [(one.programs[0], two.programs[0]) for one, two in sorted(possible, key=unlikely)]
