"""`python -m tests.sdk.rewrite`: make the Python client's types and problems of the API document anew."""

from __future__ import annotations

from .generating import files

if __name__ == "__main__":
    for file, text in files().items():
        file.write_text(text, encoding="utf-8")
        print(file)
