"""What `bootstrap` wires into the application, as operations find it."""

from dataclasses import dataclass, field

from flask import current_app

from holmgang.app.ports import Store
from holmgang.config import Settings

from .showing import KeptBodies

EXTENSION = "holmgang"


@dataclass(frozen=True, slots=True)
class Service:
    """The store and the settings of the service, and what one process of it keeps of its answers to spectators."""

    store: Store
    settings: Settings
    kept: KeptBodies = field(default_factory=KeptBodies)

    @property
    def base(self) -> str:
        """What addresses begin with; empty when they are relative to the request."""
        return self.settings.public_url or ""


def service() -> Service:
    found: Service = current_app.extensions[EXTENSION]
    return found
