"""`python -m tests.pictures.rewrite`: draw every kept picture anew. Look at them then."""

from __future__ import annotations

from holmgang import registry

from .drawing import kept, path_of

if __name__ == "__main__":
    for ruleset in registry.names():
        path_of(ruleset).write_text(kept(ruleset))
        print(path_of(ruleset))
