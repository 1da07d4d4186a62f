"""Programs that try to learn hidden inputs or answers from what a verdict says; `test_oracle.py`
and `make attacks-web` run them.
"""

import itertools
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from grader.answers import Answer

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
BIG = 1e6


def asks_for_a_result(answer: Answer) -> bool:
    """Is more looked at in this hidden case than its inputs, after the call?"""
    return not answer.case.sample and any(not n.startswith("after.") for n in answer.expected)


@dataclass(slots=True)
class Reader:
    """Reads expected values from "differ by up to X": every entry but one is right or unknown, so X
    tells of that one.

    One submission asks one entry of every case at once. The program tells cases apart by counting
    its calls, so it needs no formula.
    """

    submit: Submit
    entry: str
    shapes: list[list[tuple[int, ...]]]  # of each tensor of each case
    known: list[list[list[float]]] = field(default_factory=list)
    spent: int = 0

    def attack(self, most: int, zooms: int = 4) -> dict[str, Any]:
        """Read what can be read in at most so many submissions; the verdict of the program that
        returns it.
        """
        sizes = [[_size(shape) for shape in case] for case in self.shapes]
        self.known = [[[0.0] * size for size in case] for case in sizes]
        turns = max(sum(case) for case in sizes)
        for turn in range(turns):
            for zoom in range(zooms):
                if self.spent + 2 > most:
                    break
                self._ask(turn, 10.0 ** (3 - 2 * zoom) if zoom else BIG)
        return self._send(self.known)

    def _ask(self, turn: int, offset: float) -> None:
        guess = json.loads(json.dumps(self.known))
        places = []
        for i, case in enumerate(self.shapes):
            flat = [(t, j) for t, shape in enumerate(case) for j in range(_size(shape))]
            places.append(flat[turn] if turn < len(flat) else None)
            if turn < len(flat):
                t, j = flat[turn]
                guess[i][t][j] += offset
        for i, case in enumerate(self._send(guess)["cases"]):
            found = DIFFERS.match(case["message"])
            place = places[i] if i < len(places) else None
            if found and place is not None:
                t, j = place
                self.known[i][t][j] += offset - float(found["error"])

    def _send(self, values: list[list[list[float]]]) -> dict[str, Any]:
        self.spent += 1
        told = json.dumps([values, self.shapes])  # one text is read sooner than a thousand numbers
        return self.submit(
            f"import json\nimport numpy as np\nVALUES, SHAPES = json.loads({told!r})\nCALLS = []\ndef"
            f" {self.entry}(*given, **options):\n    i = len(CALLS)\n    CALLS.append(1)\n    dtype"
            " = given[0].dtype\n    found = tuple(np.array(v, dtype).reshape(s) for v, s in"
            " zip(VALUES[i], SHAPES[i]))\n    return found if len(found) > 1 else found[0]\n"
        )


def _size(shape: tuple[int, ...]) -> int:
    size = 1
    for n in shape:
        size *= n
    return size


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
