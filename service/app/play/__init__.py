"""Play: positions, steps, submissions, absence, and what viewers may see."""
