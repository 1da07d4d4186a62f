"""The capstone: a model that is put together from solutions of the bank."""
