"""Game-neutral machinery for rules that are pure values and functions: no I/O, clock or randomness."""
