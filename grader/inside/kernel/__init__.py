"""What the room asks of the kernel: clocks, memory and its protection, what a child has used."""
