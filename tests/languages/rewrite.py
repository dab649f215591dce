"""`python -m tests.languages.rewrite`: bring the catalogues of the house and its games to the messages that the sources
hold now.

What is new stands there with an empty translation, what is gone is taken out, and what is translated stays.
"""

from __future__ import annotations

from holmgang.languages.catalogue import DOMAINS, LANGUAGES
from holmgang.languages.gathering import bring, kept

from .messages import SPEAKERS, folder_of, now


def rewrite() -> None:
    for speaker in SPEAKERS:
        for domain in DOMAINS:
            said = now(speaker, domain)
            for language in LANGUAGES[1:]:
                if (path := bring(folder_of(speaker), language, said)) is not None:
                    missing = sum(not each.string for each in kept(folder_of(speaker), language, domain) if each.id)
                    print(f"{path}: {missing} to translate" if missing else path)


if __name__ == "__main__":
    rewrite()
