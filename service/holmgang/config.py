"""The service's settings: a frozen value read once from the environment, each documented where it stands."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from holmgang.addresses import public_address, web_address

DEFAULT_DATA_DIR = Path(".data")

_SCHEME = re.compile(r"^(?:postgres|postgresql)(?:\+\w+)?://")
_PASSWORD = re.compile(r"^([\w+.-]+://[^:/@]*):.*@", re.DOTALL)
"""Up to the last `@`: those before it are part of the password."""
_PASSWORD_PARAMETER = re.compile(r"([?&](?:ssl)?password=)[^&]*", re.IGNORECASE)

_PLACE = r"(?:\[[^\[\]@]*\]|[^\[\]:/?#@,]*)(?::[0-9]*)?"
_PLACES = rf"{_PLACE}(?:,{_PLACE})*"
_DATABASE = re.compile(rf"postgresql://(?:[^/@]*@)?{_PLACES}(?:/[^?@]*)?(?:\?.*)?")
_COUNTERS = re.compile(rf"redis(?:s|\+unix)?://(?:[^/?#]*@)?{_PLACE}(?:[/?][^#@]*)?")
"""Where requests are counted: a single Redis, as the packages `limits` and `redis` read its address."""


class SettingsError(ValueError):
    """Some settings cannot be used; `sentences` says what is wrong with each, one sentence a setting."""

    def __init__(self, sentences: list[str]) -> None:
        super().__init__(" ".join(sentences))
        self.sentences = tuple(sentences)


def _text(value: str) -> str:
    return value


def _whole(low: int, high: int) -> Callable[[str], int]:
    def read(value: str) -> int:
        if not re.fullmatch(r"[0-9]{1,12}", value) or not low <= int(value) <= high:
            raise ValueError(f"a whole number from {low} to {high}")
        return int(value)

    return read


def _threshold(value: str) -> int | None:
    if value.lower() == "off":
        return None
    try:
        return _whole(0, 1000)(value)
    except ValueError:
        raise ValueError('a whole number from 0 to 1000, or "off"') from None


def _postgres_url(value: str) -> str:
    """What libpq could not read, or would take for a host or a port though it is of a password, is refused here: its
    own errors quote it."""
    from psycopg import ProgrammingError
    from psycopg.conninfo import conninfo_to_dict

    url = _SCHEME.sub("postgresql://", value)
    try:
        conninfo_to_dict(url)
        readable = _DATABASE.fullmatch(url) is not None
    except (ProgrammingError, UnicodeError):
        readable = False
    if not readable:
        raise ValueError(
            "an address such as postgresql://user:password@host/database, with %40 for @, %2F for / and %25 for % in "
            "the password"
        )
    return url


def _counters_url(value: str) -> str:
    if value.startswith("memory:"):
        return value
    try:
        urlsplit(value)
        readable = _COUNTERS.fullmatch(value) is not None
    except ValueError:
        readable = False
    if not readable:
        raise ValueError(
            "memory:// or an address such as redis://user:password@host:6379, with %2F for /, %3F for ? and %23 for # "
            "in the password"
        )
    if find_spec("redis") is None:
        raise ValueError("memory:// unless redis is installed (pip install redis)")
    pools = import_module("redis").ConnectionPool
    try:
        pools.from_url(value.replace("redis+unix:", "unix:", 1)).make_connection()  # which opens none
    except (TypeError, ValueError):
        raise ValueError("an address with options that redis knows") from None
    return value


def _traced_url(value: str) -> str:
    if find_spec("opentelemetry") is None or find_spec("opentelemetry.exporter") is None:
        raise ValueError("unset unless holmgang[otel] is installed")
    return web_address(value)


def _level(value: str) -> str:
    if value.lower() not in ("debug", "info", "warning", "error"):
        raise ValueError("debug, info, warning or error")
    return value.lower()


def _log_format(value: str) -> str:
    if value.lower() not in ("json", "console"):
        raise ValueError("json or console")
    return value.lower()


def _metrics(value: str) -> str:
    if value.lower() not in ("on", "off", "loopback"):
        raise ValueError("on, off or loopback")
    return value.lower()


def _flag(value: str) -> bool:
    if value.lower() not in ("1", "0", "true", "false", "yes", "no"):
        raise ValueError("1 or 0")
    return value.lower() in ("1", "true", "yes")


def _about(read: Callable[[str], Any], shown: str, meaning: str, *, secret: bool = False) -> dict[str, Any]:
    """`secret`: it may hold a password, anywhere where it cannot be read."""
    return {"read": read, "shown": shown, "meaning": meaning, "secret": secret}


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Everything that can be set. A field's name in capitals is its variable; an empty one is unset."""

    host: str = field(
        default="127.0.0.1", metadata=_about(_text, "127.0.0.1", "Address to listen on; 0.0.0.0 for all.")
    )
    port: int = field(default=8000, metadata=_about(_whole(1, 65535), "8000", "TCP port to listen on."))
    data_dir: Path | None = field(
        default=None,
        metadata=_about(
            Path,
            ".data",
            "Folder of the embedded Postgres, used without DATABASE_URL.",
        ),
    )
    database_url: str | None = field(
        default=None,
        metadata=_about(
            _postgres_url,
            "embedded Postgres",
            "Postgres 15 or later in UTF8 to use instead, as postgresql://user:password@host/database.",
            secret=True,
        ),
    )
    database_direct_url: str | None = field(
        default=None,
        metadata=_about(
            _postgres_url,
            "DATABASE_URL",
            "The same database past a transaction pooler such as PgBouncer; migrations need it.",
            secret=True,
        ),
    )
    workers: int = field(default=2, metadata=_about(_whole(1, 256), "2", "Server processes."))
    connections: int = field(
        default=8192,
        metadata=_about(
            _whole(1, 65536),
            "8192",
            "Connections that one process keeps; on three quarters of them requests may wait.",
        ),
    )
    waits_per_token: int = field(
        default=32,
        metadata=_about(
            _whole(0, 8192), "32", "Requests of one token (or, without one, one address) that a process lets wait."
        ),
    )
    pool_size: int = field(
        default=2,
        metadata=_about(
            _whole(1, 1000),
            "2",
            "Database connections of one process, and requests it works on at a time; more for a database far away.",
        ),
    )
    rate_limit: int = field(
        default=2_000,
        metadata=_about(
            _whole(1, 10**9),
            "2000",
            "Other requests of one player (or, without a token, one address) in 10 seconds; dear ones are several.",
        ),
    )
    rate_limit_polls: int = field(
        default=20_000,
        metadata=_about(
            _whole(1, 10**9),
            "20000",
            "Polls of views, turns, events and waiting turns that wait or name what they have, in 10 seconds.",
        ),
    )
    rate_limit_moves: int = field(
        default=5_000,
        metadata=_about(_whole(1, 10**9), "5000", "Submissions, refused ones too, in 10 seconds."),
    )
    rate_limit_registrations: int = field(
        default=300,
        metadata=_about(_whole(1, 10**9), "300", "Players that one address may register in 10 minutes."),
    )
    rate_limit_store: str = field(
        default="memory://",
        metadata=_about(
            _counters_url,
            "memory://",
            "Where requests are counted: in each process its share, or for all in `redis://...` (`pip install redis`).",
            secret=True,
        ),
    )
    trusted_proxies: int = field(
        default=0,
        metadata=_about(
            _whole(0, 10), "0", "How many proxies in front add an address to X-Forwarded-For that is to be believed."
        ),
    )
    prepare_threshold: int | None = field(
        default=5,
        metadata=_about(
            _threshold,
            "5",
            "Uses of a statement before it is prepared on the server; `off` behind a PgBouncer before 1.22.",
        ),
    )
    max_body_bytes: int = field(
        default=65_536,
        metadata=_about(_whole(1024, 67_108_864), "65536", "Largest request body in bytes; larger ones get 413."),
    )
    games_per_player: int = field(
        default=500,
        metadata=_about(
            _whole(1, 10**6), "500", "Games that one player may have created that are neither over nor archived."
        ),
    )
    seeks_per_player: int = field(
        default=20,
        metadata=_about(_whole(1, 1000), "20", "Seeks of one player that may wait at the same time."),
    )
    challenges_per_player: int = field(
        default=100,
        metadata=_about(_whole(1, 10**6), "100", "Challenges of one player that may be pending at a time."),
    )
    tournaments_per_player: int = field(
        default=20,
        metadata=_about(_whole(1, 10**6), "20", "Tournaments that one player may have made that are not over."),
    )
    analyses_per_player: int = field(
        default=3,
        metadata=_about(_whole(0, 10**6), "3", "Analyses of games that one player may have waiting; 0 for none."),
    )
    game_trial_seconds: int = field(
        default=20,
        metadata=_about(
            _whole(1, 3600), "20", "How long the game of an installed package may take when it is tried at the start."
        ),
    )
    webhooks_private: bool = field(
        default=False,
        metadata=_about(
            _flag, "0", "With 1, webhooks may call plain http and hosts inside the network: for tests and intranets."
        ),
    )
    archive_days: int = field(
        default=30,
        metadata=_about(
            _whole(1, 36_500), "30", "Days after which a game that nobody touches, and no deadline ends, is archived."
        ),
    )
    empty_games_days: int = field(
        default=7,
        metadata=_about(
            _whole(1, 36_500),
            "7",
            "Days after which a game that ended before any person chose is deleted, unless it is rated.",
        ),
    )
    empty_games_per_player: int = field(
        default=500,
        metadata=_about(
            _whole(1, 10**6), "500", "Games of one player that may wait for that; who has so many creates no more."
        ),
    )
    rename_days: int = field(
        default=30,
        metadata=_about(_whole(0, 36_500), "30", "Days after which a player may change their name again."),
    )
    log_level: str = field(default="info", metadata=_about(_level, "info", "`debug`, `info`, `warning` or `error`."))
    log_format: str | None = field(
        default=None,
        metadata=_about(_log_format, "by standard error", "`json`, or `console`, the default on a terminal."),
    )
    metrics: str = field(
        default="loopback",
        metadata=_about(
            _metrics,
            "loopback",
            "Who may read `/metrics`: nobody (`off`), this machine without a proxy between (`loopback`), all (`on`).",
        ),
    )
    metrics_port: int | None = field(
        default=None,
        metadata=_about(
            _whole(1, 65535), "none", "Port of HOST on which `holmgang worker`, which has no other, shows its figures."
        ),
    )
    otel_exporter_otlp_endpoint: str | None = field(
        default=None,
        metadata=_about(
            _traced_url, "none", "Where traces go, by OTLP over HTTP; needs `holmgang[otel]`, which the image has."
        ),
    )
    drain_seconds: int = field(
        default=0,
        metadata=_about(
            _whole(0, 300),
            "0",
            "How long, when told to stop, it goes on serving while `/readyz` says no, so that a proxy looks elsewhere.",
        ),
    )
    public_url: str | None = field(
        default=None,
        metadata=_about(
            public_address,
            "from each request",
            "Address under which clients reach the service, for links. A proxy takes its path off.",
        ),
    )
    in_container: bool = field(
        default=False,
        metadata=_about(
            _flag,
            "0",
            "With 1 (set in the image), refuse to keep a database that would go with the container.",
        ),
    )

    @classmethod
    def from_environment(cls, environ: Mapping[str, str] | None = None) -> Settings:
        """The settings of `environ` (the process's own by default).

        Raises SettingsError naming every variable that cannot be used.
        """
        environ = os.environ if environ is None else environ
        values: dict[str, Any] = {}
        wrong = []
        for each in fields(cls):
            variable = each.name.upper()
            text = environ.get(variable, "").strip()
            if not text:
                continue
            try:
                values[each.name] = each.metadata["read"](text)
            except ValueError as error:
                found = "what is set" if each.metadata["secret"] else repr(_without_password(text))
                wrong.append(f"{variable} must be {error}, not {found}.")
        if "database_direct_url" in values and "database_url" not in values:
            wrong.append("DATABASE_DIRECT_URL is of no use without DATABASE_URL; set both or neither.")
        if wrong:
            raise SettingsError(wrong)
        return cls(**values)

    @property
    def session_url(self) -> str | None:
        """Address for work that needs a session of its own (migrations, LISTEN), or None while embedded."""
        return self.database_direct_url or self.database_url

    def with_database(self, url: str) -> Settings:
        """These settings, pointed at the Postgres at `url` (the embedded one, once it has started)."""
        return replace(self, database_url=_postgres_url(url))

    def describe(self) -> list[tuple[str, str, str, str]]:
        """(variable, default, value now, meaning) of each setting; passwords are hidden."""
        rows = []
        for each in fields(self):
            value = getattr(self, each.name)
            shown = each.metadata["shown"] if value == each.default else _without_password(str(value))
            rows.append((each.name.upper(), each.metadata["shown"], shown, each.metadata["meaning"]))
        return rows


def _without_password(text: str) -> str:
    return _PASSWORD.sub(r"\1:***@", _PASSWORD_PARAMETER.sub(r"\1***", text))
