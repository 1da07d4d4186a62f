"""Coming back: when what somebody has answered is asked again, and what they have shown so far.

Knows tables and the bank. Nothing here counts days in a row, and nothing writes to anybody.
"""
