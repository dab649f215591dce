"""What every game promises, and what tries it: laws over random games, for `holmgang check-game` and the tests."""
