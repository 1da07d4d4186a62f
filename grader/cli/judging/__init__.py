"""`grade run` and `grade submit`: what is asked for, the room that judges, what is printed."""
