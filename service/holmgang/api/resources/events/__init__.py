"""What has happened in a game, from any point on."""
