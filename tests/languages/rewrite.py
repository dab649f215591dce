"""`python -m tests.languages.rewrite`: bring the catalogues to the messages that the sources hold now.

What is new stands there with an empty translation, what is gone is taken out, and what is translated stays.
"""

from __future__ import annotations

import io

from babel.messages.catalog import Catalog
from babel.messages.pofile import write_po

from service.languages.catalogue import DOMAINS, ENGLISH, LANGUAGES, path_of

from .messages import kept, template

WIDTH = 116


def written(language: str, domain: str) -> bytes:
    """The catalogue of a language with exactly the messages there are."""
    old, new = kept(language, domain), Catalog(locale=language, domain=domain)
    for message in template(domain):
        if message.id:
            before = old.get(message.id, message.context)
            new.add(
                message.id,
                "" if before is None else before.string,
                context=message.context,
                locations=message.locations,
                flags=() if before is None else before.flags & {"fuzzy"},
            )
    file = io.BytesIO()
    write_po(file, new, width=WIDTH, omit_header=True, include_lineno=False)
    head = f'msgid ""\nmsgstr ""\n"Language: {language}\\n"\n"Content-Type: text/plain; charset=utf-8\\n"\n\n'
    return head.encode() + file.getvalue()


def rewrite() -> None:
    for language in LANGUAGES:
        if language != ENGLISH:
            for domain in DOMAINS:
                path = path_of(language, domain)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(written(language, domain))
                missing = sum(not message.string for message in kept(language, domain) if message.id)
                print(f"{path}: {missing} to translate" if missing else path)


if __name__ == "__main__":
    rewrite()
