"""The figures of samples, verdicts and lessons: SVG drawn on the server, and the same numbers as a
table.

One module a way of drawing. `draw` turns a figure of a lesson (`grader/lessons/figures.py`) into a
`Drawing`; a script may bring it to life, and nothing needs it.
"""

from server.services.rendering.figures.draw import Drawing, Table, draw

__all__ = ["Drawing", "Table", "draw"]
