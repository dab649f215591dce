"""Players made of code. They see what their seat sees, and nothing else."""
