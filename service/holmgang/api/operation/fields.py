"""Marshmallow fields that take exactly what the OpenAPI document says, and write what it says."""

import base64
import re
import struct
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import marshmallow as ma
from marshmallow import fields, validate

from holmgang.app.accounts import names
from holmgang.engine.messages import Said, say
from holmgang.engine.misfits import found_there
from holmgang.engine.patterns import END

MAX_INT = 2**31 - 1
UUID_PATTERN = re.compile(r"[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}")
_DIGITS = re.compile(r"[0-9]{1,18}")
_TIME = re.compile(r"\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)", re.ASCII)


class Whole(validate.Regexp):
    """The whole text matches, in JSON Schema and in Python: `$` alone would let a line break through at the end."""

    def __init__(self, regex: str, *, error: Said) -> None:
        super().__init__(regex.removesuffix("$") + END, error=error)

    def __call__(self, value: Any) -> Any:
        if self.regex.fullmatch(value) is None:
            raise ma.ValidationError(self.error)
        return value


class Anything(fields.Field[Any]):
    """JSON that others read, such as an action: nothing is checked here, not even null."""

    def deserialize(self, value: Any, attr: str | None = None, data: Any = None, **kwargs: Any) -> Any:
        return value if value is None else super().deserialize(value, attr, data, **kwargs)


class OneLine(fields.String):
    """A text that others read, kept in Normalization Form C. What no pattern can say of it, `faults` say."""

    pattern = (lambda unseen: rf"^[^\s{unseen}](?:[^{unseen}]{{0,62}}[^\s{unseen}])?{END}")(
        r"\x00-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200e\u200f\u2028-\u202e"
        r"\u2060-\u206f\u2800\u3164\ufeff\uffa0\ufff0-\ufffc"
    )

    def __init__(self, *faults: Callable[[str], Said | None], **kwargs: Any) -> None:
        metadata = {"pattern": self.pattern, "minLength": 1, "maxLength": names.MOST, **kwargs.pop("metadata", {})}
        super().__init__(metadata=metadata, **kwargs)
        self.faults = faults

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any) -> Any:
        text = names.composed(super()._deserialize(value, attr, data, **kwargs))
        for find in self.faults:
            if (fault := find(text)) is not None:
                raise ma.ValidationError(fault)
        return text


class Ident(fields.UUID):
    """A UUID in its usual spelling only."""

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any) -> UUID:
        if not isinstance(value, str) or UUID_PATTERN.fullmatch(value) is None:
            raise self.make_error("invalid_uuid")
        return UUID(value)


class Flag(fields.Boolean):
    """JSON's true and false, nothing that merely looks like them."""

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any) -> bool:
        if not isinstance(value, bool):
            raise ma.ValidationError(say("Must be true or false."))
        return value


class QueryFlag(Flag):
    """`true` or `false` in a query string."""

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any) -> bool:
        return super()._deserialize({"true": True, "false": False}.get(value), attr, data, **kwargs)


class Count(fields.Integer):
    """A whole number in a JSON body, where one that is written `2.0` has been read as 2. All have their bounds."""

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any) -> int:
        if isinstance(value, bool) or not isinstance(value, int):
            bounds = next(check for check in self.validators if isinstance(check, validate.Range))
            said = say(
                "Must be a whole number from {least} to {most}, not {found}.",
                least=bounds.min,
                most=bounds.max,
                found=found_there(value),
            )
            raise ma.ValidationError(said)
        return value


class QueryCount(Count):
    """A whole number in a query string: digits only, since that is text, where `2.0` is another."""

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any) -> int:
        read = int(value) if _DIGITS.fullmatch(value) else value
        return super()._deserialize(read, attr, data, **kwargs)


class Moment(fields.DateTime):
    """A time with its offset (RFC 3339), read as UTC."""

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any) -> datetime:
        if not isinstance(value, str) or _TIME.fullmatch(value) is None:
            raise ma.ValidationError(say("Must be a time with offset, such as 2030-01-31T12:00:00Z."))
        try:
            return datetime.fromisoformat(value.upper()).astimezone(UTC)
        except (ValueError, OverflowError):
            raise ma.ValidationError(say("There is no such time.")) from None


class Base64(fields.String):
    """Bytes in base64url without padding (RFC 4648, section 5)."""

    pattern = rf"^(?:[A-Za-z0-9_-]{{4}})*(?:[A-Za-z0-9_-]{{2,3}})?{END}"
    lengths: tuple[int, int]
    wrong: Said

    def __init__(self, **kwargs: Any) -> None:
        shape = {"pattern": self.pattern, "minLength": self.lengths[0], "maxLength": self.lengths[1]}
        super().__init__(metadata={**shape, **kwargs.pop("metadata", {})}, **kwargs)

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any) -> Any:
        text = super()._deserialize(value, attr, data, **kwargs)
        if re.fullmatch(self.pattern, text) is None or not self.lengths[0] <= len(text) <= self.lengths[1]:
            raise ma.ValidationError(self.wrong)
        return self.unpacked(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)))

    def unpacked(self, value: bytes) -> Any:
        return value


class Entropy(Base64):
    """16 to 64 bytes."""

    lengths = 22, 86
    wrong = say("Must be 16 to 64 bytes in base64url without padding.")

    @staticmethod
    def written(value: bytes) -> str:
        return base64.urlsafe_b64encode(value).rstrip(b"=").decode()


class Place(Base64):
    """A place in a list sorted by a number and an id."""

    lengths = 32, 32
    wrong = say("Must be taken from 'next' of the page before.")
    packed = struct.Struct(">d16s")

    def unpacked(self, value: bytes) -> tuple[float, UUID]:
        number, ident = self.packed.unpack(value)
        return number, UUID(bytes=ident)

    @classmethod
    def written(cls, number: float, ident: UUID) -> str:
        return base64.urlsafe_b64encode(cls.packed.pack(number, ident.bytes)).decode()


class NamePlace(Base64):
    """A place in a list sorted by a name, as it is looked for, and an id."""

    lengths = 22, 1200
    wrong = Place.wrong

    def unpacked(self, value: bytes) -> tuple[str, UUID]:
        try:
            name = value[16:].decode()
        except UnicodeDecodeError:
            raise ma.ValidationError(self.wrong) from None
        if "\0" in name:
            raise ma.ValidationError(self.wrong)
        return name, UUID(bytes=value[:16])

    @classmethod
    def written(cls, name: str, ident: UUID) -> str:
        return base64.urlsafe_b64encode(ident.bytes + name.encode()).rstrip(b"=").decode()
