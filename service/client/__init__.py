"""A small client of the HTTP API, for bots and the demonstration. Imports nothing else of the service."""

from .client import Client, Problem

__all__ = ["Client", "Problem"]
