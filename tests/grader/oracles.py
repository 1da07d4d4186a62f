"""Programs that try to learn hidden inputs or answers from what a verdict says; `test_oracle.py`
and `make attacks-web` run them.
"""

import itertools
import json
import math
import re
from collections import Counter
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from grader.answers import Answer
from grader.case import Case

Submit = Callable[[str], dict[str, Any]]  # a source -> the JSON of its verdict

# Each turns the first hidden input's bits into something that a verdict could repeat. `n` is an
# integer of those bits, `x` the input.
HEAD = """
import os, sys, struct
import numpy as np

class Leak(Exception):
    pass

def bits(x, at, count):
    whole = int.from_bytes(np.ascontiguousarray(x, dtype=np.float32).tobytes(), "little")
    return (whole >> at) % (1 << count)

def {entry}(x, *rest, **options):
    n = bits(x, {at}, {count})
"""
CHANNELS = {
    "shape": "return np.zeros((n + 1, 2), np.float32), np.zeros((3, n + 2), np.float32)",
    "rank": "return np.zeros((1,) * (n % 30), np.float32), np.zeros((2, 2), np.float32)",
    "empty shape": "return np.zeros((0, n), np.float32), np.zeros((0, n, 7), np.float32)",
    "length of the tuple": "return (np.zeros(2, np.float32),) * (n % 40)",
    "type of the result": (
        "return [None, 1, 1.5, 'a', [], (), {}, set(), b'', 1j, iter([]), type, len, Ellipsis][n"
        " % 14]"
    ),
    "name of a class": "return type(f'C{n}', (), {})(), type(f'D{n}', (), {})()",
    "dtype": (
        "return np.zeros(3, 'f2 f4 f8 i1 i2 i4 i8 u1 u2 u4 u8 ? c8 c16 M8[s] m8[s] U3 S5"
        " O'.split()[n % 19]), 1"
    ),
    "structured dtype": "return np.zeros(3, [(f'field{n}', 'f4')]), np.zeros(3, f'V{n % 99 + 1}')",
    "largest value": (
        "return np.full((4, 4), float(n), np.float32), np.full((4, 4), -float(n), np.float32)"
    ),
    "count of NaN": "a = np.zeros(64, np.float32); a[: n % 64] = np.nan; return a.reshape(8, 8), a",
    "text of an exception": "raise ValueError(f'{n} {x.tolist()}')",
    "name of an exception": "raise type(f'E{n}', (Exception,), {})(n)",
    "known exception": (
        "raise [ValueError, TypeError, KeyError, IndexError, OSError, ZeroDivisionError,"
        " MemoryError][n % 6](n)"
    ),
    "bases of an exception": (
        "raise type('E', tuple([(ValueError, KeyError), (TypeError, OSError)][n % 2]), {})()"
    ),
    "chained exception": "raise ValueError(n) from KeyError(str(n))",
    "exit code": "os._exit(n % 256)",
    "sys.exit": "sys.exit(n % 256)",
    "text of sys.exit": "raise SystemExit(f'leak {n}')",
    "printed": "print(n, x); return None",
    "printed on stderr": "print(n, file=sys.stderr); raise Leak",
    "missing": "return None if n % 2 else np.zeros(3)",
    "an input written over": "x[...] = n; return x, x",
    "integers": "return np.full((3, 3), n), n",
    "frame on the result channel": (
        "os.write(3, struct.pack('<IQ', n % 4096, 0) + b'{' * (n % 4096)); return x, x"
    ),
    "closed channel": "os.close(3) if n % 2 else os.close(1); raise Leak(n)",
    "recursion": "return {entry}(x) if n else {entry}(x)",
    "interrupt": "raise KeyboardInterrupt(n)",
    "generator": "return (i for i in range(n))",
    "string of so many letters": "return 'x' * (n % 100000), 1",
}
LINES = "\n".join(f"    if n % 64 == {i}:\n        raise ValueError" for i in range(64)).lstrip()


def leaks(entry: str) -> Iterator[tuple[str, str]]:
    """Named sources that fail every case and say something else for other inputs; over 120 of them."""
    for at, count in ((0, 8), (16, 7), (9, 12), (24, 8)):
        head = HEAD.format(entry=entry, at=at, count=count)
        for name, body in (*CHANNELS.items(), ("line", LINES)):
            yield f"{name}, {count} bits at {at}", f"{head}    {body.replace('{entry}', entry)}\n"


# -------------------------------------------------------------------------------------------------------
# reading expected values

DIFFERS = re.compile(r"^(?P<tensor>\w+): .*by up to (?P<error>[0-9.e+-]+) ")
ZOOMS = 4
NEARER = 1 / 40  # a step from nearer; X is exact to one part in 200 at least


def asks_for_a_result(answer: Answer) -> bool:
    """Is more looked at in this hidden case than its inputs, after the call?"""
    return not answer.case.sample and any(not n.startswith("after.") for n in answer.expected)


def looks(case: Case) -> str:
    """What a program sees of a case whatever the installation: the shapes and dtypes of its arrays."""
    arrays = [value for value in case.inputs.values() if isinstance(value, np.ndarray)]
    return str(sorted((array.shape, array.dtype.str) for array in arrays))


@dataclass(slots=True)
class Reader:
    """Reads expected values from "differ by up to X", whose X has three digits: one entry of a tensor
    is moved so far that X tells of it alone, then all again from nearer, until they are exact.

    One submission asks one entry of every case at once. The program tells cases apart by what they
    look like, so it needs no formula; of cases that look alike it asks nothing.
    """

    submit: Submit
    entry: str
    shapes: dict[str, list[tuple[int, ...]]]  # by what a case looks like: of each tensor
    names: dict[str, str]  # of these cases
    known: dict[str, list[list[float]]] = field(default_factory=dict)
    spent: int = 0

    @classmethod
    def of(
        cls, submit: Submit, entry: str, answers: Sequence[Answer], most_entries: int
    ) -> "Reader":
        """Asks for results only, of cases that have no more entries than that."""
        seen = Counter(looks(answer.case) for answer in answers)
        asked = {
            looks(answer.case): answer
            for answer in answers
            if seen[looks(answer.case)] == 1
            and not any(name.startswith("after.") for name in answer.expected)
            and sum(e.values.size for e in answer.expected.values()) <= most_entries
        }
        return cls(
            submit,
            entry,
            {key: [e.values.shape for e in a.expected.values()] for key, a in asked.items()},
            {key: answer.case.name for key, answer in asked.items()},
        )

    def attack(self, most: int) -> dict[str, Any]:
        """Read what can be read in at most so many submissions; the verdict of the program that
        returns it.
        """
        self.known = {
            key: [[0.0] * math.prod(shape) for shape in case] for key, case in self.shapes.items()
        }
        asking = {key: self._questions(key) for key in self.known}
        errors: dict[str, float | None] = dict.fromkeys(asking)
        while self.spent < most - 1 and asking:
            guess = {}
            for key in list(asking):
                try:
                    guess[key] = asking[key].send(errors[key])
                except StopIteration:
                    del asking[key]
            errors = self._errors(self.known | guess)
        return self._send(self.known)

    def _questions(self, key: str) -> Generator[list[list[float]], float | None, None]:
        """Each is a guess, answered with its largest error, None where nothing is said."""
        case = self.known[key]
        for tensor in case:
            largest = yield case
            for nearer in range(ZOOMS):
                for j in range(len(tensor)):
                    if largest is None:
                        return
                    offset = 4 * largest * NEARER**nearer
                    before = tensor[j]
                    tensor[j] = before + offset
                    error = yield case
                    tensor[j] = before
                    if error is not None:
                        tensor[j] += offset - error

    def _errors(self, guess: dict[str, list[list[float]]]) -> dict[str, float | None]:
        told = {case["name"]: DIFFERS.match(case["message"]) for case in self._send(guess)["cases"]}
        return {
            key: float(found["error"]) if (found := told[name]) else None
            for key, name in self.names.items()
        }

    def _send(self, values: dict[str, list[list[float]]]) -> dict[str, Any]:
        self.spent += 1
        told = json.dumps([values, self.shapes])  # one text is read sooner than a thousand numbers
        return self.submit(
            f"import json\nimport numpy as np\nVALUES, SHAPES = json.loads({told!r})\ndef"
            f" {self.entry}(*given, **options):\n    arrays = [a for a in (*given,"
            " *options.values()) if isinstance(a, np.ndarray)]\n    key = str(sorted((a.shape,"
            " a.dtype.str) for a in arrays))\n    found = tuple(np.array(v,"
            " given[0].dtype).reshape(s) for v, s in zip(VALUES[key], SHAPES[key]))\n    return"
            " found if len(found) > 1 else found[0]\n"
        )


@dataclass(slots=True)
class Guesser:
    """Guesses numbers that were worked out by hand: reads what a message tells of them, else tries
    every plausible row.
    """

    submit: Submit
    names: dict[str, tuple[int, int]]  # rows and columns of each table
    spent: int = 0

    def attack(self, most: int) -> dict[str, Any]:
        """At most so many submissions; the verdict of the best tables found."""
        tables = {
            name: [[0.0] * columns for _ in range(rows)]
            for name, (rows, columns) in self.names.items()
        }
        passed = self._passed(self._send(tables))
        whole = [-1.0, 0.0, 1.0, 2.0, 3.0, 4.0]
        for name, (rows, columns) in self.names.items():
            steps = whole if name == "scores" else [i / 10 for i in range(11)]
            for row in range(rows):
                for guess in itertools.islice(itertools.product(steps, repeat=columns), most // 12):
                    if self.spent >= most:
                        return self._send(tables)
                    before = tables[name][row]
                    tables[name][row] = list(guess)
                    now = self._passed(self._send(tables))
                    if now > passed:
                        passed = now
                        break
                    tables[name][row] = before
        return self._send(tables)

    def _passed(self, verdict: dict[str, Any]) -> int:
        return sum(case["verdict"] == "accepted" for case in verdict["cases"])

    def _send(self, tables: dict[str, list[list[float]]]) -> dict[str, Any]:
        self.spent += 1
        return self.submit("".join(f"{name} = {rows!r}\n" for name, rows in tables.items()))
