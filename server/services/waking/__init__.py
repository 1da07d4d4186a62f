"""Wakes the requests that wait for a submission: in this process, and from others."""
