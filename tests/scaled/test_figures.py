"""What `benchmarks.scaled` concludes from what it has measured."""

import pytest

pytest.importorskip("celery", reason="the group `scale` is not installed")

from benchmarks.scaled import missed, ratio_by_cpu

GOOD = {
    "overhead_p50": 12.0,
    "lost": 0,
    "longest_wait_of_a_learner_to_mean": 1.1,
    "asleep_ratio": 1.9,
    "two_cores_ratio": 1.2,
    "two_cores_ratio_by_cpu": 1.9,
}


@pytest.mark.parametrize(
    ("one", "two", "ratio"),
    [
        pytest.param((18, 1, 0.5), (18, 1, 0.5), 2.0, id="nothing is dearer"),
        pytest.param((18, 1, 0.5), (20, 1, 0.5), 1.8, id="workers are"),
        pytest.param((18, 1, 0.5), (18, 2.5, 1), 1.8, id="what they share is"),
        pytest.param((18, 2, 0.5), (18, 1, 0.5), 2.0, id="what they share is cheaper together"),
    ],
)
def test_ratio_by_processor_time(
    one: tuple[float, ...], two: tuple[float, ...], ratio: float
) -> None:
    assert ratio_by_cpu(one, two) == pytest.approx(ratio)


def test_a_busy_machine_breaks_no_promise() -> None:
    assert missed(GOOD) == []


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("overhead_p50", 15.1),
        ("lost", 1),
        ("longest_wait_of_a_learner_to_mean", 2.1),
        ("asleep_ratio", 1.69),
        ("two_cores_ratio_by_cpu", 1.69),
    ],
)
def test_what_is_promised(name: str, value: float) -> None:
    (sentence,) = missed(GOOD | {name: value})
    assert sentence.startswith(f"{name} is {value}; at ")
