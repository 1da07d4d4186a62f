"""Never finish being loaded.

rows: 85
verdicts: time_limit_exceeded
limits: wall_s=1
"""
while True:
    pass
