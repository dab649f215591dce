"""What a bot thinks of games that are over."""
