"""Drakkars: longships sail round the coast, raid towns and each other, and come home with their cargo."""
