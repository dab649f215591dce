"""One module a command, its click command named `command`. A module put here is a command at once."""
