"""What runs in the sealed room. The launchers mount this folder whole, and `grader/case.py` beside
it. docs/design/room-files.md says why it is one folder.

A submission can read every file here. Modules import the standard library, numpy, torch,
each other and `grader.case`.
"""
