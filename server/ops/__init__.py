"""Running the service: health, metrics, logs, backup, retention.

May know whatever it reports on.
"""
