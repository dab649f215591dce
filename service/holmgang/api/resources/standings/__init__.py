"""How a tournament stands: the order, and who did how against whom."""
