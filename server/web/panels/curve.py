"""What a page shows of measured time and memory: two drawings, their numbers, and sentences."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from server.messages import Message
from server.services.rendering.figures.curve import measured
from server.web.texts import translate

Json = Mapping[str, Any]
NAMES: Mapping[str, Message] = {
    "yours": Message("Your program"),
    "reference": Message("Reference"),
    "linear_attention": Message("Linear attention"),
}
# why a line ends before the largest size
STOPS: Mapping[str, Message] = {
    "time": Message("A longer input takes too long to be measured."),
    "memory": Message("A longer input needs more memory than a submission may use."),
    "output": Message("The result of a longer input is larger than a submission may return."),
    "error": Message("A longer input raises an exception."),
}


@dataclass(frozen=True, slots=True)
class Drawn:
    """A drawing; empty where nothing is above 0."""

    title: str
    svg: str


@dataclass(frozen=True, slots=True)
class Row:
    """What each program took at one size, as text; "" where it was not measured."""

    size: int
    cells: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CurveView:
    """A measurement in the reader's language."""

    drawings: tuple[Drawn, ...]
    legend: tuple[str, ...]
    sentences: tuple[str, ...]
    grows: str
    sizes: str
    columns: tuple[str, ...]
    rows: tuple[Row, ...]
    costs: Json | None


def curve_view(result: Json) -> CurveView | None:
    """Returns the view of a measurement; None where there is none."""
    lines = [line for line in result["lines"] if line["points"]]
    if result["state"] != "measured" or not lines:
        return None
    legend = tuple(translate(NAMES[name]) for name in (line["name"] for line in lines))
    return CurveView(
        drawings=tuple(_drawings(lines, legend)),
        legend=legend,
        sentences=tuple(" ".join(_sentences(*each)) for each in zip(legend, lines, strict=True)),
        grows=", ".join(result["grows"]),
        sizes=", ".join(f"{letter} = {n}" for letter, n in (result["sizes"] or {}).items()),
        columns=tuple(f"{name}, {unit}" for name in legend for unit in ("ms", "MiB")),
        rows=tuple(_rows(lines)),
        costs=result["costs"],
    )


def _drawings(lines: Sequence[Json], legend: Sequence[str]) -> list[Drawn]:
    length = translate("length of the input")
    shown = (
        ("cpu_ms", translate("Time"), translate("CPU time, ms")),
        ("memory_mib", translate("Memory"), translate("peak, MiB")),
    )
    return [
        Drawn(title, measured(series, length, unit, title))
        for key, title, unit in shown
        if any((series := _series(lines, legend, key)).values())
    ]


def _series(
    lines: Sequence[Json], legend: Sequence[str], key: str
) -> dict[str, list[tuple[float, float]]]:
    """The points above 0 of each line: 0 has no place on a logarithmic axis."""
    return {
        name: [(float(p["size"]), float(p[key])) for p in line["points"] if p[key] > 0]
        for name, line in zip(legend, lines, strict=True)
    }


def _sentences(name: str, line: Json) -> list[str]:
    grown = _power(line["time_exponent"]), _power(line["memory_exponent"])
    said = translate(
        "%(name)s: time grows %(time)s, memory %(memory)s.",
        name=name,
        time=grown[0],
        memory=grown[1],
    )
    stop = STOPS.get(line["stopped"])
    return [said, translate(stop)] if stop is not None else [said]


def _power(exponent: float | None) -> str:
    if exponent is None:
        return translate("too little to measure")
    return translate("about like n to the power %(exponent)s", exponent=f"{exponent:.1f}")


def _rows(lines: Sequence[Json]) -> list[Row]:
    points = [{p["size"]: p for p in line["points"]} for line in lines]
    sizes = sorted({size for line in points for size in line})
    return [
        Row(size, tuple(c for line in points for c in _cells(line.get(size)))) for size in sizes
    ]


def _cells(point: Json | None) -> tuple[str, str]:
    if point is None:
        return "", ""
    return f"{point['cpu_ms']:.2f}", f"{point['memory_mib']:.1f}"
