"""What the parts of a page that show a verdict, a hint or an exploration are filled with."""
