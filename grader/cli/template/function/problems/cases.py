import numpy as np

from grader.case import Case


def draw(rng: np.random.Generator, *shape: int) -> np.ndarray:
    return rng.standard_normal(shape).astype(np.float32)


def cases(rng: np.random.Generator):
    """Inputs and the reason each case exists; never an expected value."""
    yield Case(
        "two queries, three keys",
        inputs={"q": np.round(draw(rng, 2, 4), 1), "k": np.round(draw(rng, 3, 4), 1)},
        sample=True,
        note="The definition, small enough to follow by hand.",
    )
    # cases that many problems share (strided, read-only, a second call): `standard` of grader.case
    # an empty note is refused
    yield Case(
        "more queries than keys", inputs={"q": draw(rng, 7, 5), "k": draw(rng, 3, 5)}, note=""
    )
