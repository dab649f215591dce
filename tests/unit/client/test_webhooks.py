"""The client believes what the service signs, and nothing else."""

from __future__ import annotations

import pytest

from holmgang import Unverified, verify_webhook
from holmgang.app.webhooks import signing

# The example of the specification's own libraries.
SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
ID = "msg_p5jXN8AQM9LWM0D4loKWxJek"
AT = 1614265330
BODY = b'{"test": 2432232314}'
SIGNATURE = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="
GOOD = {"webhook-id": ID, "webhook-timestamp": str(AT), "webhook-signature": SIGNATURE}
OTHER = signing.new_secret()


@pytest.mark.parametrize("now", [AT - 300, AT, AT + 300])
@pytest.mark.parametrize(
    "signatures", [SIGNATURE, f"v1,AAAA {SIGNATURE}", f"{SIGNATURE} v1a,AAAA", f"v2,x  {SIGNATURE} é"]
)
def test_believed(signatures: str, now: float) -> None:
    assert verify_webhook(SECRET, {**GOOD, "webhook-signature": signatures}, BODY, now=now) == ID


def test_names_of_headers_may_be_written_in_any_case() -> None:
    assert verify_webhook(SECRET, {name.upper(): value for name, value in GOOD.items()}, BODY, now=AT) == ID


def test_while_a_secret_is_replaced_both_fit() -> None:
    headers = signing.signed_headers([OTHER, SECRET], ID, AT, BODY)
    assert verify_webhook(SECRET, headers, BODY, now=AT) == verify_webhook(OTHER, headers, BODY, now=AT) == ID
    with pytest.raises(Unverified, match="fits"):
        verify_webhook(signing.new_secret(), headers, BODY, now=AT)


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"webhook-signature": ""}, "fits"),
        ({"webhook-signature": SIGNATURE.removeprefix("v1,")}, "fits"),
        ({"webhook-signature": SIGNATURE.replace("v1,", "v1a,")}, "fits"),
        ({"webhook-signature": SIGNATURE.replace("OE=", "OA=")}, "fits"),
        ({"webhook-signature": SIGNATURE[:-1]}, "fits"),
        ({"webhook-signature": SIGNATURE.lower()}, "fits"),
        ({"webhook-id": "msg_other"}, "fits"),
        ({"webhook-id": ""}, "fits"),
        ({"webhook-id": f"{ID}.1"}, "malformed"),
        ({"webhook-timestamp": str(AT + 1)}, "fits"),
        ({"webhook-timestamp": f"0{AT}"}, "fits"),
        ({"webhook-timestamp": str(AT - 301)}, "too far"),
        ({"webhook-timestamp": str(AT + 301)}, "too far"),
        ({"webhook-timestamp": ""}, "malformed"),
        ({"webhook-timestamp": "-1"}, "malformed"),
        ({"webhook-timestamp": f"{AT}.0"}, "malformed"),
        ({"webhook-timestamp": "١٦١٤٢٦٥٣٣٠"}, "malformed"),
        ({"webhook-timestamp": "9" * 5000}, "malformed"),
    ],
)
def test_not_believed(changed: dict[str, str], why: str) -> None:
    with pytest.raises(Unverified, match=why):
        verify_webhook(SECRET, {**GOOD, **changed}, BODY, now=AT)


@pytest.mark.parametrize("name", sorted(GOOD))
def test_a_missing_header_is_named(name: str) -> None:
    with pytest.raises(Unverified, match=name):
        verify_webhook(SECRET, {key: value for key, value in GOOD.items() if key != name}, BODY, now=AT)


@pytest.mark.parametrize("body", [b"", BODY + b" ", BODY.replace(b" ", b""), BODY[:-1]])
def test_another_body_is_not_believed(body: bytes) -> None:
    with pytest.raises(Unverified, match="fits"):
        verify_webhook(SECRET, GOOD, body, now=AT)


def test_a_secret_that_is_none_is_a_mistake_of_the_caller() -> None:
    with pytest.raises(ValueError, match="base64"):
        verify_webhook("whsec_!", GOOD, BODY, now=AT)
