"""Pages that several views answer with: a course, a lesson, a problem, the model, a roster."""
