"""Who meets whom, and how it stands: pure functions of players' ids, what has been played, and a seed that is known.

They know no clock, no chance and no database, so that anybody can check a tournament from what is public. A player is
an id; a table is a tuple of ids by place, the first to move first; what came of it is a `Meeting`.
"""
