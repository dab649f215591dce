"""Play: positions, steps, submissions, absence, resignations, archived games."""
