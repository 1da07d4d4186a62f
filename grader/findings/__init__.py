"""What the judge finds wrong, as data, and the sentences made of it.

`codes` lists every finding with its parameters, `finding` holds one and its JSON, and `sentences`
is the only place that puts one into words (docs/design/findings.md). Imports the standard library
only.
"""
