"""What has happened in a tournament, from any point on."""
