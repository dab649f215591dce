"""A receiver of Holmgang's webhooks that believes only what is signed. It needs nothing but Python 3.11 or later.

    WEBHOOK_SECRET=whsec_... python examples/webhook_receiver.py 9000

It answers 204 to a message whose signature fits, prints it, and ignores one that it has seen before; to anything else
it answers 400. Put it behind a server that speaks https, or the messages can be read on their way.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import os
import sys
import threading
import time
from collections import OrderedDict
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

TOLERANCE_SECONDS = 300
LONGEST_BODY = 1024 * 1024
REMEMBERED = 10_000


def is_genuine(secret: str, message_id: str, timestamp: str, signatures: str, body: bytes, now: float) -> bool:
    """Whether a message is from the holder of the secret, and of about now.

    `signatures` may hold several, separated by spaces: while a secret is replaced there is one of each.
    """
    if not timestamp.isdecimal() or len(timestamp) > 15 or abs(now - int(timestamp)) > TOLERANCE_SECONDS:
        return False
    key = base64.b64decode(secret.removeprefix("whsec_"))
    # Sign the bytes as they came: JSON that was read and written again is another text.
    signed = f"{message_id}.{timestamp}.".encode() + body
    expected = b"v1," + base64.b64encode(hmac.digest(key, signed, hashlib.sha256))
    return any(hmac.compare_digest(expected, each.encode()) for each in signatures.split(" "))


class Receiver(ThreadingHTTPServer):
    """Holds the secret and the identifiers of the latest messages."""

    daemon_threads = True

    def __init__(self, address: tuple[str, int], secret: str) -> None:
        super().__init__(address, Handler)
        self.secret = secret
        self.lock = threading.Lock()
        self.seen: OrderedDict[str, None] = OrderedDict()

    def is_new(self, message_id: str) -> bool:
        """A message is sent again when its answer got lost; its identifier stays the same."""
        with self.lock:
            known = message_id in self.seen
            self.seen[message_id] = None
            while len(self.seen) > REMEMBERED:
                self.seen.popitem(last=False)
            return not known


class Handler(BaseHTTPRequestHandler):
    server: Receiver
    timeout = 10

    def do_POST(self) -> None:
        length = self.headers.get("Content-Length", "")
        if not length.isdecimal() or len(length) > 9 or int(length) > LONGEST_BODY:
            self.answer(413)
            return
        body = self.rfile.read(int(length))
        message_id = self.headers.get("webhook-id", "")
        timestamp = self.headers.get("webhook-timestamp", "")
        signatures = self.headers.get("webhook-signature", "")
        if not is_genuine(self.server.secret, message_id, timestamp, signatures, body, time.time()):
            self.answer(400)
            return
        if self.server.is_new(message_id):
            print(message_id, body.decode(errors="replace"), flush=True)
        # Answer at once and do long work later: an answer that takes too long counts as none.
        self.answer(204)

    def answer(self, status: int) -> None:
        self.send_response(status)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """Requests are not logged: what was received is printed instead."""


def main() -> None:
    sys.stdout.reconfigure(errors="backslashreplace")  # type: ignore[union-attr] # no delivery fails by what cannot be shown
    port = int(sys.argv[1]) if len(sys.argv) > 1 else 9000
    with Receiver(("127.0.0.1", port), os.environ["WEBHOOK_SECRET"]) as receiver:
        print(f"listening on http://127.0.0.1:{receiver.server_port}", flush=True)
        receiver.serve_forever()


if __name__ == "__main__":
    main()
