"""`python -m tests.interface.rewrite`: write anew what the public names take and give. What changes there changes for
packages: read the difference, and docs/pages/reference/game-interface.md on what a version promises."""

from __future__ import annotations

from .signatures import KEPT, signatures

if __name__ == "__main__":
    KEPT.write_text(signatures(), encoding="utf-8")
    print(KEPT)
