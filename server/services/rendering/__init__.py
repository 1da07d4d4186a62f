"""What pages show, made from data: statements as HTML, samples as tables, pictures, differences of
two texts.

May know the core; no tables, no requests.
"""
