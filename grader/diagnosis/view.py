"""The judged cases of a submission, and what each known mistake says of them."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from enum import Enum, auto

from grader.answers import Answer, Answers
from grader.case import Case
from grader.diagnosis.equality import equal_tensors, projections
from grader.diagnosis.fingerprints import programs
from grader.diagnosis.hypotheses import Hypothesis
from grader.diagnosis.matching import (
    COSTS,
    Evidence,
    Known,
    Runs,
    blank,
    certain,
    costly,
    in_part,
    manner,
    same,
)
from grader.model import Diagnosis, Ended, Framework, Outcome, Run
from grader.problem import Mistake, Problem

ACCEPTED = Outcome.ACCEPTED
SURVEYED = 4  # cases that tell pairs apart before all do
WORK = 1 << 22  # entries of inputs and scores, in all pairs that are run in a case
Rerun = Callable[[Case], Run]
Far = Mapping[str, Collection[str]]


class Shown(Enum):
    """How surely a run shows a mistake that does the same."""

    SURELY = auto()
    BLANK = auto()  # NaN and zeros, in which many mistakes end
    CRASH = auto()  # an exception of the same type, of a mistake that breaks one rule
    PERHAPS = auto()


class View:
    """The judged cases, and how a known run compares with them."""

    def __init__(self, problem: Problem, answers: Answers, evidence: Sequence[Evidence]) -> None:
        self.mistakes = {mistake.name: mistake for mistake in problem.mistakes}
        self.framework: Framework = answers.framework
        self._public: Mapping[str, Answer] = {
            a.case.name: answers.twins.get(a.case.name, a) for a in answers.cases
        }
        self._evidence = evidence
        self._blank = sum(
            1 << i
            for i, each in enumerate(evidence)
            if each.run is not None and blank(each.run, self._public[each.case])
        )
        self.failed = sum(each.verdict is not ACCEPTED for each in evidence)
        # mistakes are not run in cases about cost
        self._compared = [
            (1 << i, each, self._public[each.case])
            for i, each in enumerate(evidence)
            if not costly(self._public[each.case])
        ]
        # failed cases that a mistake can explain
        self._told = sum(
            bit
            for bit, each, _ in self._compared
            if each.verdict is not ACCEPTED and each.public is not ACCEPTED
        )
        self._raised = sum(
            bit
            for bit, each, _ in self._compared
            if each.run is not None and each.run.ended is Ended.RAISED
        )
        self._at = {each.case: i for i, each in enumerate(evidence)}
        self._projected = {
            each.case: projections(each.run) for each in evidence if each.run is not None
        }

    def random_or_costly(self, name: str) -> bool:
        """Checks whether a mistake draws at random, or shows in what it costs and not in values."""
        return self.mistakes[name].random or self.mistakes[name].verdict in COSTS

    def bit(self, case: str) -> int:
        """The bit of a case."""
        return 1 << self._at[case]

    def far(self, runs: Runs) -> Far:
        """By case, the programs that need no closer look: their tensors are surely others."""
        return {case: runs.far(case, projected) for case, projected in self._projected.items()}

    def same(self, case: str, known: Known | None, far: bool) -> bool | None:
        """Does the submission do in a case what is known? None where nothing can be said."""
        return same(self._public[case], self._evidence[self._at[case]], known, far)

    def hypothesis(
        self,
        names: tuple[str, ...],
        known: Mapping[str, Known],
        far: Far | None = None,
        mistake: Mistake | None = None,
        programs: tuple[str, ...] = (),
    ) -> Hypothesis:
        """Compares what is known of a mistake, or of two at once, with every judged case.

        `programs` are the names of what was run, where they are not those of the mistakes.
        """
        explains = surely = fails = contradicts = 0
        shown = dict.fromkeys(Shown, 0)
        random = mistake is not None and mistake.random
        slight = mistake is not None and mistake.slight  # other draws may hide it
        programs, far = programs or names, far or {}
        if mistake is not None and mistake.verdict in COSTS:
            explains, fails = self._cost(mistake.verdict)
            surely = explains
        for bit, each, answer in self._compared:
            theirs = known.get(each.case)
            if theirs is None:
                continue
            fails_there = theirs.verdict is not ACCEPTED
            if each.verdict is ACCEPTED:
                contradicts |= bit if fails_there and not slight else 0
                continue
            equal = same(answer, each, theirs, programs[0] in far.get(each.case, ()), random)
            if equal is None:
                continue
            if equal:
                explains |= bit
                shown[self._shown(bit, each.run, theirs.run, answer, mistake)] |= bit
            # where nothing can be compared, each failed case must be explained
            fails |= bit if random or fails_there else 0
        surely |= shown[Shown.SURELY]
        accounted = not fails & ~explains
        # NaN and zeros are evidence where they are all that is expected, in half of the cases, or
        # beside other evidence: two mistakes at once that explain everything
        everything = mistake is None and not (self._told & ~explains) and bool(surely)
        blank_ones = shown[Shown.BLANK]
        if accounted and (everything or 2 * blank_ones.bit_count() >= self.failed):
            surely |= blank_ones
        # who raises in all cases of a rule and in no other does not crash by chance
        crashes = shown[Shown.CRASH]
        if accounted and not contradicts and crashes.bit_count() > 1 and crashes == self._raised:
            surely |= crashes
        return Hypothesis(names, explains, surely, fails, contradicts, programs)

    def _shown(
        self, bit: int, run: Run | None, theirs: Run, answer: Answer, mistake: Mistake | None
    ) -> Shown:
        """How surely an equal run shows a mistake."""
        if certain(answer, run, theirs, mistake is None):
            return Shown.BLANK if bit & self._blank or in_part(run, theirs) else Shown.SURELY
        return Shown.CRASH if mistake is not None and mistake.rule else Shown.PERHAPS

    def variants(self, mistake: Mistake, runs: Runs, far: Far) -> list[Hypothesis]:
        """What a mistake says of the cases, and what each of its variants says."""
        names = [program.name for program in programs(mistake, self.framework)]
        return [
            self.hypothesis((mistake.name,), runs.get(name, {}), far, mistake, (name,))
            for name in names
        ]

    def _cost(self, verdict: Outcome) -> tuple[int, int]:
        """The cases about cost that failed with this verdict, and with any that is about cost."""
        explains = fails = 0
        for i, each in enumerate(self._evidence):
            if costly(self._public[each.case]) and each.verdict in COSTS:
                fails |= 1 << i
                explains |= 1 << i if each.verdict is verdict else 0
        return explains, fails

    def unexplained(self, explained: int) -> int:
        """Failed cases with a public result that nothing explains yet."""
        return sum(
            1 << i
            for i, each in enumerate(self._evidence)
            if each.public is not None
            and each.public is not Outcome.ACCEPTED
            and each.run is not None
            and each.run.ended is Ended.RETURNED
            and not costly(self._public[each.case])
            and not self._public[each.case].case.draws
            and not explained >> i & 1
        )

    def guess(self, runs: Runs, singles: Iterable[Hypothesis]) -> tuple[Diagnosis, ...]:
        """The one mistake that fails in the same cases and in the same manner, with other numbers;
        of several, the one that explains most of them. () where it is none, or more than one.

        Only results that are not finite, or of another shape: other values, or an exception, are
        the manner of too many mistakes.
        """
        ours = {
            each.case: manner(each.run, answer)
            for _, each, answer in self._compared
            if each.verdict is not ACCEPTED and each.run is not None
        }
        telling = all(m == "not finite" or m.startswith("shape") for m in ours.values())
        compared = sum(each.verdict is not ACCEPTED for _, each, _ in self._compared)
        if not ours or not telling or self.failed != compared:
            return ()
        explained = {
            h.names[0]: h.explains.bit_count()
            for h in singles
            if len(h.names) == 1 and self._alike(ours, runs.get(h.names[0], {}))
        }
        most = max(explained.values(), default=0)
        alike = [self.mistakes[name] for name, count in explained.items() if count == most]
        if len(alike) != 1 or alike[0].random:
            return ()
        mistake = alike[0]
        in_order = tuple(case for case in self._public if case in ours)
        return (Diagnosis(mistake.name, mistake.hint, in_order, mistake.rule, guess=True),)

    def _alike(self, ours: Mapping[str, str], known: Mapping[str, Known]) -> bool:
        """Does a mistake fail in these cases only, and in this manner?"""
        for _, each, _ in self._compared:
            theirs = known.get(each.case)
            if theirs is None or (each.verdict is ACCEPTED) is not (theirs.verdict is ACCEPTED):
                return False
            if each.case in ours and ours[each.case] != theirs.manner:
                return False
        return True

    def smallest(self, cases: int) -> list[str]:
        """Of some cases, the few with the least to compute, the least one first; before those that
        are about a rule, and often odd, those of the plain definition. Those that are blank only
        where all are, since every pair that ends in NaN would fit them.
        """
        telling = cases & ~self._blank or cases
        chosen = [e.case for i, e in enumerate(self._evidence) if telling >> i & 1]
        return sorted(chosen, key=lambda c: (bool(self._public[c].case.rule), self._size(c)))[
            :SURVEYED
        ]

    def affordable(self, case: str) -> int:
        """How many pairs may be run in a case: a learner waits for them."""
        shapes = [tensor.shape for tensor in self._public[case].case.tensors().values()]
        longest = max((max(shape, default=1) for shape in shapes), default=1)
        return WORK // max(1, self._size(case) + longest**2)  # every token may look at every other

    def _size(self, case: str) -> int:
        answer = self._public[case]
        return sum(tensor.size for tensor in answer.case.tensors().values())

    def only_seems_random(self, hypothesis: Hypothesis, rerun: Rerun) -> bool:
        """Is it a mistake with random results, while the submission's do not change? Asked in the
        largest case that shows it: of a few weights, two draws may drop the same.
        """
        if not any(self.mistakes[name].random for name in hypothesis.names):
            return False
        shown = [
            (self._size(each.case), each.case, each.run)
            for i, each in enumerate(self._evidence)
            if hypothesis.surely >> i & 1
            and each.run is not None
            and not self._public[each.case].case.draws
        ]
        if not shown:
            return not hypothesis.surely
        _, case, run = max(shown, key=lambda each: each[:2])
        return equal_tensors(rerun(self._public[case].case), run)

    def diagnosis(
        self, name: str, chosen: Sequence[str], hypotheses: Iterable[Hypothesis]
    ) -> Diagnosis:
        """What is said of a mistake: its hint, and the cases that show it."""
        alone = others = together = 0
        for h in (h for h in hypotheses if set(h.names) <= set(chosen)):
            if h.names == (name,):
                alone |= h.explains
            elif name in h.names:
                together |= h.explains
            else:
                others |= h.explains
        cases = alone | together & ~others  # a pair explains what one of them alone does, too
        mistake = self.mistakes[name]
        shown = {e.case for i, e in enumerate(self._evidence) if cases >> i & 1}
        in_order = tuple(case for case in self._public if case in shown)
        return Diagnosis(name, mistake.hint, in_order, mistake.rule)
