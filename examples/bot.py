"""A bot for Holmgang that needs only Python 3.11 or later: python examples/bot.py claim [http://127.0.0.1:8000/v1]
It goes on with a game of its own, sits down in an open one, or makes one; it registers, or takes the token in TOKEN."""

import base64
import http.client
import json
import os
import random
import sys
import time
import urllib.parse
import uuid

ruleset, url = (*sys.argv[1:], "http://127.0.0.1:8000/v1")[:2]
api = urllib.parse.urlsplit(url.rstrip("/"))
kind = http.client.HTTPSConnection if api.scheme == "https" else http.client.HTTPConnection
connection = kind(api.netloc, timeout=60)  # longer than any request waits
headers = {"Content-Type": "application/json"}
entropy = os.urandom(32)  # a share of the chance, given when the server has committed to its own


def call(method, path, body=None, **more):
    """Status, tag and content of the answer. What got lost, or should come later (429, 503), is asked again."""
    if method == "POST" and "Authorization" in headers:
        more["Idempotency-Key"] = str(uuid.uuid4())  # however often it is asked, it happens once
    for _ in range(60):
        try:
            connection.request(method, api.path + path, json.dumps(body) if body is not None else None, headers | more)
            answer = connection.getresponse()
            content = dict(json.loads(answer.read() or "{}"))
        except (OSError, http.client.HTTPException, ValueError, TypeError):  # nobody, or a proxy that says so
            connection.close()
            time.sleep(1)
            continue
        passing = content.get("retryable", answer.status in (429, 502, 503, 504))  # a proxy need not say so
        if answer.status < 400 or (answer.status == 409 and not passing):
            return answer.status, answer.headers["ETag"], content
        if not passing:
            sys.exit(content.get("detail", answer.reason))
        time.sleep(min(float(asked), 600) if (asked := answer.headers["Retry-After"] or "1").isdigit() else 60)
    sys.exit("The service does not answer.")


def find_game():
    share = {"entropy": base64.urlsafe_b64encode(entropy).decode().rstrip("=")}
    for path in ("/me/games?status=active", "/me/games?status=open", f"/games?status=open&ruleset={ruleset}"):
        for game in (each for each in call("GET", path)[2]["items"] if each["ruleset"] == ruleset):
            if (sat := call("POST", f"/games/{game['id']}/seats", {} if path[1] == "m" else share))[0] != 409:
                return game, sat[2]["seat"] if sat[0] == 201 else None
    rules = call("GET", f"/rulesets/{ruleset}")[2]
    game = call("POST", "/games", {"ruleset": ruleset, "seats": rules["seat_counts"][0], "join": False})[2]
    for body in (share, *[{"bot": rules["bots"][:2][-1]}] * (len(game["seats"]) - 1)):  # a quick one
        call("POST", f"/games/{game['id']}/seats", body)
    return game, 0


def play(game):
    """Wait for each turn that asks for a choice and make one, any that is legal; until nobody is asked any more."""
    tag, turn = '""', {"status": "open"}
    while turn["status"] in ("open", "active"):
        _, tag, news = call("GET", f"/games/{game}/turn?wait=50", **{"If-None-Match": tag or '""'})
        before, turn = turn, news or turn
        if {**before, "server_time": 0} == {**turn, "server_time": 0}:  # nothing new
            time.sleep(1)
        elif turn["yours"]:
            action = random.choice(turn["legal"].get("actions") or [turn["legal"]["sample"]])  # no secret
            call("POST", f"/games/{game}/submissions", {"turn": turn["turn"], "action": action})  # 409: time was faster


token = os.environ.get("TOKEN") or call("POST", "/players", {"name": "bot.py"})[2]["token"]
print("token", token, flush=True)
headers["Authorization"] = f"Bearer {token}"
game, seat = find_game()
print("game", game["id"], flush=True)
play(game["id"])
status, _, record = call("GET", f"/games/{game['id']}/record")
given = game["commitment"], entropy.hex()  # where one has sat down now; `holmgang verify` checks all the rest
if status == 200 and seat is not None and given != (record["commitment"], record["entropy"][seat]):
    sys.exit(f"The server has bent chance: its record lacks {given} of seat {seat}.")
print("result", json.dumps(record.get("result")))
