"""`grade practice` and `grade solution`: on the way to a program, items, their answers and what
these come to; after it, the reference and other right programs.

It prints. What is right and why is decided in `grader/practice`.
"""
