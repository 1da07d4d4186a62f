"""The commands of `grade` with their options, by whom they are for.

Each command loads the module that carries it out only when it is called.
"""
