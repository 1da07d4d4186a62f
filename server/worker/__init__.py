"""Judging: claim a row, judge it in the room, store the verdict; and the chores beside that.

May know the services and the tables. The pages know its queue and its state only.
"""
