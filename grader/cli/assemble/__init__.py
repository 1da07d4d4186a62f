"""`grade assemble`: puts the model together from a learner's files, and lets it write."""
