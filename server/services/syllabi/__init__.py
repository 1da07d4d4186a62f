"""Makes courses from the syllabi of the bank, which `grader/syllabi/` reads and checks.

Knows courses, and no web framework.
"""
