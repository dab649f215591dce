"""Players' tokens by the address of their service, in a file that is its owner's alone."""

from __future__ import annotations

import json
import os
import tempfile
from pathlib import Path

OWNER_ONLY = 0o600


class TokensUnreadable(Exception):
    """The file is there, but is not what was written; the sentence says what to do."""


class Tokens:
    """The file `tokens.json` in a folder. Written whole or not at all, never readable for others."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "tokens.json"

    def find(self, url: str) -> str | None:
        token = self._read().get(url)
        if token is not None and self.path.stat().st_mode & 0o077 and os.name == "posix":
            self.path.chmod(OWNER_ONLY)
        return token

    def keep(self, url: str, token: str) -> None:
        known = {**self._read(), url: token}
        self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=self.path.parent, prefix=".tokens-")  # with mode 600
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                json.dump(known, file, indent=1)
            os.replace(name, self.path)
        except BaseException:
            os.unlink(name)
            raise

    def _read(self) -> dict[str, str]:
        try:
            known = json.loads(self.path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            return {}
        except (OSError, ValueError) as fault:
            raise TokensUnreadable(f"{self.path} cannot be read ({fault}). Mend it or move it away.") from None
        if not isinstance(known, dict) or not all(isinstance(token, str) for token in known.values()):
            raise TokensUnreadable(f"{self.path} holds no tokens by address. Mend it or move it away.")
        return known
