"""Signatures: the specification's vector and an independent computation. Who reads them is in unit/client."""

from __future__ import annotations

import base64
import hashlib
import hmac

import pytest

from holmgang.app.webhooks import signing

# The example of the specification's own libraries.
SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
ID = "msg_p5jXN8AQM9LWM0D4loKWxJek"
AT = 1614265330
BODY = b'{"test": 2432232314}'
SIGNATURE = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="
OTHER = "whsec_" + base64.b64encode(b"x" * 24).decode()

GOOD = {"webhook-id": ID, "webhook-timestamp": str(AT), "webhook-signature": SIGNATURE}


def test_the_published_vector() -> None:
    assert signing.signed_headers([SECRET], ID, AT, BODY) == GOOD


@pytest.mark.parametrize("body", [b"", b".", "Þórr\n".encode(), bytes(range(256))])
def test_the_signature_is_the_hmac_of_identifier_timestamp_and_body(body: bytes) -> None:
    key = base64.b64decode("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
    expected = hmac.new(key, b"m-1.7." + body, hashlib.sha256).digest()
    assert base64.b64decode(signing.signature(SECRET, "m-1", 7, body).removeprefix("v1,")) == expected


def test_new_secrets_differ_and_are_of_32_bytes() -> None:
    some = {signing.new_secret() for _ in range(50)}
    assert len(some) == 50
    assert {len(signing.key_of(each)) for each in some} == {32}
    assert all(each.startswith("whsec_") for each in some)


@pytest.mark.parametrize(
    "secret",
    [
        "",
        "whsec_",
        "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
        "WHSEC_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
        "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaS",
        "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaS-",
        "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw\n",
        "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSé",
        "whsec_" + base64.b64encode(b"x" * 23).decode(),
        "whsec_" + base64.b64encode(b"x" * 65).decode(),
    ],
)
def test_malformed_secrets_are_refused_and_not_repeated(secret: str) -> None:
    with pytest.raises(signing.BadSecret) as refused:
        signing.key_of(secret)
    assert secret.removeprefix("whsec_")[:8] not in str(refused.value) or len(secret) < 8


@pytest.mark.parametrize("length", [24, 64])
def test_the_shortest_and_the_longest_secret(length: int) -> None:
    assert signing.key_of("whsec_" + base64.b64encode(b"x" * length).decode()) == b"x" * length


def test_while_a_secret_is_replaced_both_fit() -> None:
    headers = signing.signed_headers([OTHER, SECRET], ID, AT, BODY)
    assert headers["webhook-signature"].split(" ")[1] == SIGNATURE


@pytest.mark.parametrize(
    ("secrets", "message_id", "timestamp"),
    [([], ID, AT), ([SECRET], "a.1", AT), ([SECRET], "", AT), ([SECRET], "a\r\nb", AT), ([SECRET], ID, -1)],
)
def test_what_cannot_be_signed(secrets: list[str], message_id: str, timestamp: int) -> None:
    with pytest.raises(ValueError, match=r"at least one secret|an identifier is"):
        signing.signed_headers(secrets, message_id, timestamp, BODY)
