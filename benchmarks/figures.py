"""A measured figure, the bound that the project promises for it, and the table of all of them."""

from dataclasses import dataclass

from rich.console import Console
from rich.table import Table


@dataclass(frozen=True, slots=True)
class Figure:
    """One measured figure; `limit` is the bound that the project promises, "" without a promise."""

    name: str
    value: float
    unit: str
    limit: str = ""
    holds: bool | None = None


def at_most(name: str, value: float, unit: str, limit: float) -> Figure:
    """Returns a figure with an upper bound."""
    return Figure(name, value, unit, f"≤ {limit:g}", value <= limit)


def at_least(name: str, value: float, unit: str, limit: float) -> Figure:
    """Returns a figure with a lower bound."""
    return Figure(name, value, unit, f"≥ {limit:g}", value >= limit)


def print_table(figures: list[Figure]) -> None:
    """Prints one row for each figure."""
    table = Table(box=None, padding=(0, 2, 0, 0))
    for column, justify in (
        ("figure", "left"),
        ("measured", "right"),
        ("promised", "right"),
        ("", "left"),
    ):
        table.add_column(column, justify=justify)  # type: ignore[arg-type]
    for f in figures:
        mark = "" if f.holds is None else "✓" if f.holds else "✕"
        table.add_row(f.name, f"{f.value:.4g} {f.unit}", f.limit, mark)
    Console(width=110).print(table)
