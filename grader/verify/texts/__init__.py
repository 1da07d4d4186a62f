"""Checks of what an author writes without a line of a solution: statements, hints and settings.

They need no room. They may know the definition of a problem and the cases that it yields.
"""
