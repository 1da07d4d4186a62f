"""The capstone: a small language model whose parts are solutions of the bank.

It knows the model's shapes and weights, and which problem makes which part; it runs in the room.
"""
