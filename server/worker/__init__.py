"""The worker: claims jobs, carries them out in the room, and stores the results.

May know the services and the tables. The pages know its queue and its state only.
"""
