"""What the judge takes in from a room: bytes, frames, replies, any of them perhaps hostile.

The bounds are in docs/design/intake.md.
"""
