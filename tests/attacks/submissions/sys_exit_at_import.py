"""Leave with SystemExit while the file is being loaded.

rows: 2
verdicts: runtime_error
"""
raise SystemExit(0)
