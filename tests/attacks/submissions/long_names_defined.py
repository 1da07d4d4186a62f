"""Define no function, but many long names of characters that take six each to show: a short source that would make a verdict of megabytes.

rows: 131
verdicts: compile_error
"""
for i in range(99):
    globals()["\u202e" * 190 + str(i)] = i
