import numpy as np

from grader.case import Case


def draw(rng: np.random.Generator, *shape: int) -> np.ndarray:
    return rng.standard_normal(shape).astype(np.float32)


def cases(rng: np.random.Generator):
    """Inputs and the reason each case exists; never an expected value."""
    yield Case(
        "three steps",
        inputs={"x": np.round(draw(rng, 3, 2), 1)},
        init={"width": 2},
        sample=True,
        note="The definition, small enough to follow by hand.",
    )
    # an empty note is refused
    yield Case(
        "a reset",
        inputs={"x": draw(rng, 7, 3)},
        init={"width": 3},
        options={"reset_at": 4},
        note="",
    )
