"""LTI 1.3: launches from learning platforms, who comes from where, and scores on their way back.

May know the services, the tables and what is in server/web itself.
"""
