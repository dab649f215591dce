"""Language models as players: the service's calls as tools of the Model Context Protocol, with texts for answers.

An adapter as the terminal is: all that it knows of a game comes through the client package, with one player's token.
"""
