"""The settings: read once, refused in a sentence each, and all of them documented."""

from __future__ import annotations

import dataclasses
import re
import sys
from pathlib import Path
from unittest.mock import Mock

import pytest

from holmgang import config
from holmgang.config import Settings, SettingsError
from tests.fuzz.mutating import ENDS

REPOSITORY = Path(__file__).parents[2]


def install_redis(monkeypatch: pytest.MonkeyPatch) -> Mock:
    """As far as the settings look; its pools of connections."""
    driver = Mock()
    monkeypatch.setattr(config, "find_spec", Mock())
    monkeypatch.setitem(sys.modules, "redis", driver)
    pools: Mock = driver.ConnectionPool
    return pools


WHOLE = {
    "PORT": "80",
    "WORKERS": "3",
    "DATA_DIR": "games",
    "DATABASE_URL": "postgresql://me@host/games",
    "DATABASE_DIRECT_URL": "postgresql://me@host/games",
    "PREPARE_THRESHOLD": "off",
    "RATE_LIMIT_STORE": "memory://",
    "LOG_LEVEL": "info",
    "LOG_FORMAT": "json",
    "METRICS": "on",
    "PUBLIC_URL": "https://games.example.org",
    "IN_CONTAINER": "1",
}


def test_defaults_need_no_environment() -> None:
    settings = Settings.from_environment({})
    assert settings == Settings()
    assert (settings.host, settings.port, settings.database_url) == ("127.0.0.1", 8000, None)


def test_every_kind_of_value_is_read() -> None:
    settings = Settings.from_environment(
        {
            "PORT": "80",
            "DATA_DIR": "games",
            "DATABASE_URL": "postgres://me:secret@host/games",
            "DATABASE_DIRECT_URL": "postgresql+psycopg://me@direct/games",
            "PREPARE_THRESHOLD": "off",
            "LOG_LEVEL": "DEBUG",
            "PUBLIC_URL": "https://games.example.org/",
            "IN_CONTAINER": "yes",
            "UNKNOWN": "is none of ours",
        }
    )
    assert settings.port == 80
    assert settings.data_dir == Path("games")
    assert settings.database_url == "postgresql://me:secret@host/games"
    assert settings.session_url == "postgresql://me@direct/games"
    assert settings.prepare_threshold is None
    assert settings.log_level == "debug"
    assert settings.public_url == "https://games.example.org"
    assert settings.in_container


@pytest.mark.parametrize("end", ENDS[:-1])
@pytest.mark.parametrize("variable", sorted(WHOLE))
def test_blanks_at_the_ends_of_a_setting_mean_nothing(variable: str, end: str) -> None:
    """A file that a variable is read from ends with a line break, as often as not."""
    plain = Settings.from_environment(WHOLE)
    for text in (WHOLE[variable] + end, end + WHOLE[variable]):
        assert Settings.from_environment({**WHOLE, variable: text}) == plain


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("https://games.example.org/holm/gang/", "https://games.example.org/holm/gang"),
        ("HTTPS://Games.Example.ORG:8443/Holm", "https://games.example.org:8443/Holm"),
        ("http://[2001:DB8::1]:8000/holm", "http://[2001:db8::1]:8000/holm"),
        ("http://host:/x", "http://host/x"),
        (
            "https://bücher.example/spiele für alle/日本",
            "https://xn--bcher-kva.example/spiele%20f%C3%BCr%20alle/%E6%97%A5%E6%9C%AC",
        ),
        ("https://host/a%2Fb%20c/<&>", "https://host/a%2Fb%20c/%3C&%3E"),
    ],
)
def test_a_public_address_is_written_as_links_begin(value: str, expected: str) -> None:
    assert Settings.from_environment({"PUBLIC_URL": value}).public_url == expected


def test_an_empty_variable_is_unset() -> None:
    assert Settings.from_environment({"PORT": "", "DATABASE_URL": "  "}) == Settings()


@pytest.mark.parametrize(
    ("variable", "value", "expected"),
    [
        ("PORT", "0", "a whole number from 1 to 65535"),
        ("PORT", "8e3", "a whole number"),
        ("PORT", "٨٠٠٠", "a whole number"),
        ("WORKERS", "-1", "a whole number from 1 to 256"),
        ("CONNECTIONS", "1" * 5000, "a whole number from 1 to 65536"),
        ("PREPARE_THRESHOLD", "never", '"off"'),
        ("DATABASE_URL", "mysql://host/games", "postgresql://"),
        ("DATABASE_URL", "host=/tmp dbname=games", "postgresql://"),
        ("METRICS", "everybody", "on, off or loopback"),
        ("OTEL_EXPORTER_OTLP_ENDPOINT", "localhost:4318", "http or https"),
        ("LOG_FORMAT", "xml", "json or console"),
        ("LOG_LEVEL", "loud", "debug, info, warning or error"),
        ("PUBLIC_URL", "games.example.org", "http or https"),
        ("PUBLIC_URL", "https://games.example.org/?a=b", "without query"),
        ("PUBLIC_URL", "https://games.example.org/?", "without query and fragment"),
        ("PUBLIC_URL", "https://games.example.org/#/games", "without query"),
        ("PUBLIC_URL", "https://games.example.org:x", "a host and a port"),
        ("PUBLIC_URL", "https://games.example.org:99999", "a host and a port"),
        ("PUBLIC_URL", "https://a..b", "a host and a port"),
        ("PUBLIC_URL", "https://a b", "a host and a port"),
        ("PUBLIC_URL", "https://a<b", "a host and a port"),
        ("PUBLIC_URL", "https://[::1]b/x", "a host and a port"),
        ("PUBLIC_URL", "https://[::1", "http or https"),
        ("PUBLIC_URL", "https://host//evil.example", "no empty parts"),
        ("PUBLIC_URL", "https://host/a/../b", "no dots alone"),
        ("PUBLIC_URL", "https://host/%2E%2e/b", "no dots alone"),
        ("PUBLIC_URL", "https://host/a%zz", "no control characters"),
        ("PUBLIC_URL", "https://host/a\nb", "no control characters"),
        ("PUBLIC_URL", "https://host/%00", "no control characters"),
        ("PUBLIC_URL", "https://host/v1", "without /v1"),
        ("PUBLIC_URL", "https://host/api/v1/", "without /v1"),
        ("IN_CONTAINER", "maybe", "1 or 0"),
    ],
)
def test_a_bad_value_is_one_sentence(variable: str, value: str, expected: str) -> None:
    with pytest.raises(SettingsError) as caught:
        Settings.from_environment({variable: value})
    (sentence,) = caught.value.sentences
    assert sentence.startswith(f"{variable} must be ")
    assert expected in sentence
    assert sentence.endswith(".")


def test_all_bad_values_are_named_at_once() -> None:
    with pytest.raises(SettingsError) as caught:
        Settings.from_environment({"PORT": "x", "CONNECTIONS": "y", "DATABASE_DIRECT_URL": "postgres://host/games"})
    named = [sentence.split()[0] for sentence in caught.value.sentences]
    assert named == ["PORT", "CONNECTIONS", "DATABASE_DIRECT_URL"]


def test_passwords_are_never_shown() -> None:
    settings = Settings.from_environment({"DATABASE_URL": "postgres://me:secret@host/games?password=secret"})
    assert "secret" not in str(settings.describe())
    with pytest.raises(SettingsError) as caught:
        Settings.from_environment({"DATABASE_URL": "mysql://me:secret@host/games"})
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize("variable", ["DATABASE_URL", "DATABASE_DIRECT_URL"])
@pytest.mark.parametrize(
    "value",
    [
        "postgresql://me:hid%xden@host/games",
        "postgresql://me:hid%den@host/games",
        "postgresql://me:hid@den@host/games",
        "postgresql://me:hid/den@host/games",
        "postgresql://me:1/hidden@host/games",
        "postgresql://me:hid den@host/games",
        "postgresql://me@host:hidden/games",
        "postgresql://me@host/games?hidden=1",
        "postgresql://me@host/games?password=hid%den",
        "hidden://me@host/games",
        "me:hidden@host/games",
    ],
)
def test_an_address_that_cannot_be_read_is_refused_and_not_quoted(variable: str, value: str) -> None:
    with pytest.raises(SettingsError) as caught:
        Settings.from_environment({"DATABASE_URL": "postgresql://host/games", variable: value})
    (sentence,) = caught.value.sentences
    assert sentence.startswith(f"{variable} must be an address such as ")
    assert not re.search("hid|den", sentence)
    assert caught.value.__context__ is None, "which a trace would show as well"


@pytest.mark.parametrize(
    "value",
    [
        "redis://me:hid/den@host",
        "redis://me:1/hidden@host",
        "redis://me:hid?den@host",
        "redis://me:hid#den@host",
        "redis://me:hid[den@host",
        "redis://me@host:hidden",
        "redis://hid,den@one,two",
        "redis://one,hidden",
        "redis+cluster://:hidden@host",
        "redis+sentinel://:hidden@one:26379,two:26379/name",
        "valkey://:hidden@host",
        "memcached://hidden:11211",
        "mongodb+srv://me:hidden@host/",
        "hidden://me@host",
        "hidden",
    ],
)
def test_an_address_of_counters_that_cannot_be_read_is_refused_and_not_quoted(value: str) -> None:
    with pytest.raises(SettingsError) as caught:
        Settings.from_environment({"RATE_LIMIT_STORE": value})
    (sentence,) = caught.value.sentences
    assert sentence.startswith("RATE_LIMIT_STORE must be memory:// or an address ")
    assert not re.search("hid|den", sentence)


def test_a_web_address_that_cannot_be_read_is_not_quoted() -> None:
    with pytest.raises(SettingsError) as caught:
        Settings.from_environment({"PUBLIC_URL": "https://me:hid@den\u2100@host/"})
    assert not re.search("hid|den", str(caught.value))


@pytest.mark.parametrize(
    "value",
    [
        "postgresql://",
        "postgresql:///games?host=/run/postgresql&user=me",
        "postgresql://me:a%40b%2Fc%25@host:5432/games?sslmode=require&application_name=a@b",
        "postgresql://me:a:b?c#d[e@host/games",
        "postgresql://one:1,two:2/games",
        "postgresql://me@[::1]:5432/games",
        "postgresql://me@%2Frun%2Fpostgresql/games",
    ],
)
def test_every_address_of_a_database_that_can_be_read_is_one(value: str) -> None:
    assert Settings.from_environment({"DATABASE_URL": value}).database_url == value


@pytest.mark.parametrize(
    "value",
    [
        "memory://",
        "redis://host",
        "rediss://me:a@b%c@host:6379/0?socket_timeout=1",
        "redis://:hidden@[::1]:6379",
        "redis+unix://:hidden@/run/redis.sock?db=1",
    ],
)
def test_every_address_of_counters_that_can_be_read_is_one(value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    install_redis(monkeypatch)
    assert Settings.from_environment({"RATE_LIMIT_STORE": value}).rate_limit_store == value


@pytest.mark.parametrize("fault", [TypeError, ValueError])
def test_options_of_counters_that_the_driver_does_not_take_are_refused(
    fault: type[Exception], monkeypatch: pytest.MonkeyPatch
) -> None:
    pools = install_redis(monkeypatch)
    made = pools.from_url if fault is ValueError else pools.from_url.return_value.make_connection
    made.side_effect = fault("hidden")
    with pytest.raises(SettingsError) as caught:
        Settings.from_environment({"RATE_LIMIT_STORE": "redis+unix://:hidden@/run/redis.sock?colour=red"})
    told = "RATE_LIMIT_STORE must be an address with options that redis knows, not what is set."
    assert caught.value.sentences == (told,)
    pools.from_url.assert_called_once_with("unix://:hidden@/run/redis.sock?colour=red")


def test_counters_in_a_redis_need_its_driver(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = Mock(return_value=None)
    monkeypatch.setattr(config, "find_spec", asked)
    with pytest.raises(SettingsError) as caught:
        Settings.from_environment({"RATE_LIMIT_STORE": "redis://me:hidden@host"})
    told = "RATE_LIMIT_STORE must be memory:// unless redis is installed (pip install redis), not what is set."
    assert caught.value.sentences == (told,)
    assert Settings.from_environment({"RATE_LIMIT_STORE": "memory://"}) == Settings()
    asked.assert_called_once_with("redis")


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("DATABASE_URL", "postgresql://me:hid:den?x#y@host/games"),
        ("DATABASE_URL", "postgresql://me@host/games?sslpassword=hid@den&password=hid@den"),
        ("DATABASE_URL", "postgresql://me:hid@host/games?password=hid@den"),
        ("RATE_LIMIT_STORE", "redis://me:hid@den@host"),
        ("RATE_LIMIT_STORE", "rediss://:hid@den@host"),
        ("PUBLIC_URL", "https://me:hid@den@host"),
    ],
)
def test_a_password_is_masked_to_its_end(variable: str, value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    install_redis(monkeypatch)
    (told,) = [row[2] for row in Settings.from_environment({variable: value}).describe() if row[0] == variable]
    assert "***" in told
    assert not re.search("hid|den", told)


def test_settings_are_frozen() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        Settings().port = 1  # type: ignore[misc]


def test_the_documentation_has_every_setting() -> None:
    page = (REPOSITORY / "docs/pages/reference/settings.md").read_text(encoding="utf-8")
    for variable, default, _, meaning in Settings().describe():
        assert f"| `{variable}` | {default} | {meaning} |" in page, "run `holmgang settings --markdown`"


def test_only_the_settings_read_the_environment() -> None:
    readers = {
        str(file.relative_to(REPOSITORY))
        for file in (REPOSITORY / "service").rglob("*.py")
        if re.search(r"os\.environ|getenv", file.read_text(encoding="utf-8"))
    }
    # To other processes.
    passing_it_on = {
        "service/holmgang/checking/alike.py",
        "service/holmgang/cli/commands/demo.py",
        "service/holmgang/metrics.py",
        "service/holmgang/registry/discovery.py",
        "service/holmgang/registry/trying.py",
        "service/holmgang/store/postgres_binaries.py",
        "service/holmgang/worker/analysing.py",
    }
    # Which are no part of the service.
    of_its_users = {
        "service/holmgang/client/_bot.py",
        "service/holmgang/cli/commands/bot.py",
        "service/holmgang/cli/players.py",
    }
    assert readers == {"service/holmgang/config.py"} | passing_it_on | of_its_users
