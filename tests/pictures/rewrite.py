"""`python -m tests.pictures.rewrite`: draw every kept picture anew. Look at them then."""

from __future__ import annotations

from .drawing import KEPT, kept, path_of

if __name__ == "__main__":
    for ruleset in KEPT:
        path_of(ruleset).write_text(kept(ruleset))
        print(path_of(ruleset))
