"""A language model that is put together from solutions of the bank, and writes text in the room."""
