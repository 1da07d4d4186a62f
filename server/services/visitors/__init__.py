"""What people do before they have an account: they run the samples of one exercise.

Knows submissions and accounts. Everything runs for one account that nobody can sign in to.
"""
