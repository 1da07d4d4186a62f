"""What a case comes to: a judgement, what of it may be told, remarks, and the words in a language.

It may know answers and comparisons. It runs nothing: whoever runs a submission is above it.
"""
