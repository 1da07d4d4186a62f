"""Define no function, but many names of enormous length: a short source that would make a verdict of megabytes.

rows: 131
verdicts: compile_error
"""
for i in range(99):
    globals()["\u202e" * 9999 + str(i)] = i
