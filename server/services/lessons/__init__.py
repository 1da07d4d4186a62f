"""The lessons of the service: what lies in the bank, what their programs computed, and their pages.

Knows the bank and the tables, and no web framework.
"""
