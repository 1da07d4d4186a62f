"""Never finish being loaded.

rows: 85
verdicts: time_limit_exceeded
limits: wall_s=0.5
"""
while True:
    pass
