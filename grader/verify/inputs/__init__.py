"""Checks of the cases themselves: their sizes, that they repeat, and that no two are alike.

They may know the cases and their answers, and no mistake.
"""
