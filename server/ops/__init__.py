"""For operators: health, metrics, logs, backup, retention.

May import every package of the service.
"""
