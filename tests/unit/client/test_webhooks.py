"""The client checks what the service signs."""

from __future__ import annotations

import pytest
from holmgang import Unverified, verify_webhook

from service.app import signing

SECRET, OTHER = signing.new_secret(), signing.new_secret()
BODY = b'{"type":"game.over"}'


def test_a_message_of_the_service_is_believed_while_its_secret_is_replaced() -> None:
    headers = signing.signed_headers([OTHER, SECRET], "msg_1", 1000, BODY)
    shouted = {name.upper(): value for name, value in headers.items()}
    assert verify_webhook(SECRET, headers, BODY, now=1299) == verify_webhook(OTHER, shouted, BODY, now=701) == "msg_1"


@pytest.mark.parametrize(
    "change",
    [
        {"webhook-id": "msg_2"},
        {"webhook-id": "msg.1"},
        {"webhook-timestamp": "1001"},
        {"webhook-timestamp": "x"},
        {"webhook-signature": "v1,AAAA"},
    ],
)
def test_a_changed_message_is_not(change: dict[str, str]) -> None:
    headers = signing.signed_headers([SECRET], "msg_1", 1000, BODY)
    with pytest.raises(Unverified):
        verify_webhook(SECRET, headers | change, BODY, now=1000)


def test_another_body_secret_or_time_is_not() -> None:
    headers = signing.signed_headers([SECRET], "msg_1", 1000, BODY)
    for secret, body, now in ((SECRET, BODY + b" ", 1000), (OTHER, BODY, 1000), (SECRET, BODY, 1301)):
        with pytest.raises(Unverified):
            verify_webhook(secret, headers, body, now=now)
    with pytest.raises(Unverified, match="webhook-id"):
        verify_webhook(SECRET, {}, BODY)
