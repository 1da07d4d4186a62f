"""Tests of what looks into a failure."""
