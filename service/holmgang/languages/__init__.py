"""Sentences in the language of whoever reads them.

English is what the sources are written in, and the key of every message. The other languages' messages are catalogues
in `service/holmgang/locale/<language>/LC_MESSAGES/<domain>.po`, compiled when they are first needed. How they are made:
docs/pages/how-to/translate.md.
"""
