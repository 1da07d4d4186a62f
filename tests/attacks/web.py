"""Attacks on the pages and the API: `python -m tests.attacks.web [PART…]` runs each part and prints
what it found.

A part is a module `tests/attacks/web_PART.py` with `run() -> int`: it prints its matrix and gives
back how many cells are wrong.
"""

import importlib
import sys
from pathlib import Path

PREFIX = "web_"


def parts() -> list[str]:
    """The names of the parts, as they lie in the folder."""
    return sorted(
        path.stem.removeprefix(PREFIX) for path in Path(__file__).parent.glob(f"{PREFIX}*.py")
    )


def main(chosen: list[str]) -> int:
    """Runs the chosen parts, or all; 1 when anything is wrong."""
    unknown = sorted(set(chosen) - set(parts()))
    if unknown:
        print(
            f"There is no part {', '.join(unknown)}; choose from {', '.join(parts())}.",
            file=sys.stderr,
        )
        return 2
    wrong = {}
    for name in chosen or parts():
        print(f"== {name}", flush=True)
        wrong[name] = importlib.import_module(f"tests.attacks.{PREFIX}{name}").run()
    for name, count in wrong.items():
        print(f"{name}: {f'{count} wrong' if count else 'as expected'}")
    return int(any(wrong.values()))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
