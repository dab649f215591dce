"""What runs without being asked: deadlines, built-in bots, deliveries."""
