"""Errors as problem documents (RFC 9457): the table, the refusals of HTTP, the pages."""
