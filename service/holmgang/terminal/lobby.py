"""How one comes to a table: by what the command line says, and by questions for what it leaves open."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from random import Random
from typing import TYPE_CHECKING, Any, Literal, TypeVar, cast

import httpx

from holmgang import Client, Status, problems, registry
from holmgang.bots import guests
from holmgang.bots import registry as bots
from holmgang.engine.messages import either, how_many
from holmgang.engine.rules import AnyRules, players

from .choosers import fits
from .companions import Companions
from .local import LocalTable
from .remote import RemoteTable, come_by, reaching, verdict
from .screen import Screen
from .sitting import Left
from .table import Lost, Table, printable

if TYPE_CHECKING:
    from holmgang.answers import Challenge, Game

T = TypeVar("T")

SHOWN_GAMES = 20
OWN: tuple[Status, ...] = ("active", "open", "archived")


class Wrong(Exception):
    """The wishes do not go together; the sentence says why."""


@dataclass(frozen=True)
class Wishes:
    """What the command line says of the game; None where it says nothing. Bots are named whole."""

    ruleset: str | None = None
    seats: int | None = None
    bots: tuple[str, ...] | None = None
    seat: int | None = None
    game: str | None = None
    turn_seconds: int | None = None
    clock: Literal["waits", "runs"] | None = None
    bank_seconds: int | None = None
    increment_seconds: int | None = None
    seek: bool = False
    """Against whoever seeks the same."""
    challenge: tuple[str, ...] = ()
    """Against these, by name or id, once they accept."""


class Lobby:
    def __init__(self, screen: Screen, wishes: Wishes) -> None:
        self.screen = screen
        self.wishes = wishes

    def local(self, name: str, rng: Random) -> Table:
        """A table in this process. Bots that are not named are like the last that is."""
        rules = self._rules()
        seats = self._seats(rules)
        kinds = self._bots(rules, seats, others=False)
        kinds = [*kinds, *[kinds[-1]] * (seats - 1 - len(kinds))]
        me = self.wishes.seat or 0
        if not 0 <= me < seats:
            raise Wrong(f"Seats are numbered from 0 to {seats - 1}.")
        try:
            return LocalTable(rules, kinds, me, name, rng)
        except guests.NoSuchBot as fault:
            raise Wrong(str(fault)) from None

    def remote(self, client: Client, companions: Companions) -> Table:
        """A table on the client's server, where `companions` play. Games that have ended meanwhile are compared with
        what was noted of them."""
        self._look_back(client)
        try:
            game = self._game(client, companions)
        except guests.NoSuchBot as fault:
            raise Wrong(str(fault)) from None
        return RemoteTable(client, game, companions)

    def _game(self, client: Client, companions: Companions) -> str:
        if self.wishes.game is not None:
            return self._sit_down(client, self.wishes.game, companions)
        if self.wishes.seek:
            return self._seek(client)
        if self.wishes.challenge:
            return self._challenge(client)
        if self.wishes.ruleset is not None:
            return self._create(client, companions)
        with reaching(client):
            player = client.me()["player"]
            asked = [
                challenge
                for challenge in client.challenges_now(direction="incoming", status="pending")["items"]
                if _awaited(challenge, player["id"])
            ]
            mine = [
                game
                for status in OWN
                for game in islice(client.my_games(status=status, limit=SHOWN_GAMES), SHOWN_GAMES)
            ]
            free = client.games(status="open", open_seats=True, limit=SHOWN_GAMES)
            theirs = [game for game in islice(free, SHOWN_GAMES) if not _sits(game, player["id"])]
        choices: list[tuple[str, Callable[[], str]]] = [("a new game", lambda: self._create(client, companions))]
        choices += [(f"answer: {_asked(each)}", partial(self._answer, client, each, companions)) for each in asked]
        for verb, games in (("go on", mine), ("join", theirs)):
            choices += [
                (f"{verb}: {_told(game)}", partial(self._sit_down, client, game["id"], companions)) for game in games
            ]
        self.screen.say(f"You are {printable(player['name'])}. What will you play?", "bold")
        return choices[self._pick([words for words, _ in choices])][1]()

    def _look_back(self, client: Client) -> None:
        for game in client.notes.games():
            try:
                if client.game(game)["status"] != "over":
                    continue
            except (problems.Problem, httpx.HTTPError):
                continue
            try:
                if told := verdict(client, game):
                    self.screen.say(f"Game {game} is over. {told}", "dim")
            except Lost as fault:
                self.screen.complain(str(fault))

    def _sit_down(self, client: Client, game: str, companions: Companions) -> str:
        with reaching(client):
            player = client.me()["player"]["id"]
            found = client.game(game)
            begun = found["status"] != "open"
            for kind in filter(guests.own, self.wishes.bots or ()):
                guests.made(kind, guests.class_of(kind, found["ruleset"]))
            if not begun and not _sits(found, player):
                client.take_seat(game, seat=self.wishes.seat)
        for kind in self.wishes.bots or ():
            if begun and not guests.own(kind):
                raise Wrong(f"That game has begun, and {kind} cannot sit down in it any more.")
            self._seat(client, found, kind, companions)
        return game

    def _seat(self, client: Client, game: Game, kind: str, companions: Companions) -> None:
        if guests.own(kind):
            companions.sit_down(kind, game)
        else:
            with reaching(client):
                client.seat_bot(game["id"], cast("Any", kind))

    def _create(self, client: Client, companions: Companions) -> str:
        rules = self._rules()
        seats = self._seats(rules)
        kinds = self._bots(rules, seats, others=True)
        me = self.wishes.seat or 0
        if not 0 <= me < seats:
            raise Wrong(f"Seats are numbered from 0 to {seats - 1}.")
        with reaching(client):
            game = client.create_game(
                rules.ruleset,
                seats,
                turn_seconds=self.wishes.turn_seconds,
                bank_seconds=self.wishes.bank_seconds,
                increment_seconds=self.wishes.increment_seconds,
                clock=self.wishes.clock,
                join=False if me else None,
            )
            if me:
                client.take_seat(game["id"], seat=me)
        for kind in kinds:
            self._seat(client, game, kind, companions)
        self.screen.say(f"Others join this game by:\n{come_by(client, game['id'])}", "dim")
        return game["id"]

    def _seek(self, client: Client) -> str:
        """The game that a seek leads to. Who stops waiting seeks no more."""
        rules = self._rules()
        seats = self._seats(rules)
        with reaching(client):
            seek = client.create_seek(
                rules.ruleset,
                seats,
                turn_seconds=self.wishes.turn_seconds,
                bank_seconds=self.wishes.bank_seconds,
                increment_seconds=self.wishes.increment_seconds,
                clock=self.wishes.clock,
            )["id"]
        self.screen.say(f"You seek a game of {rules.title}. Ctrl-C stops that.", "dim")
        game = self._until(client, lambda: client.wait_for_seek(seek), lambda: client.withdraw_seek(seek))["game"]
        if game is None:
            raise Lost("Nobody sought the same. Seek again, or play on other terms.")
        return game

    def _challenge(self, client: Client) -> str:
        """The game that a challenge leads to. Who stops waiting withdraws it."""
        rules = self._rules()
        with reaching(client):
            try:
                challenge = client.challenge(
                    self.wishes.challenge,
                    rules.ruleset,
                    seat=self.wishes.seat,
                    turn_seconds=self.wishes.turn_seconds,
                    bank_seconds=self.wishes.bank_seconds,
                    increment_seconds=self.wishes.increment_seconds,
                    clock=self.wishes.clock,
                )
            except problems.AmbiguousName as several:
                ids = ", ".join(map(str, several.body.get("players") or []))
                raise Lost(printable(f"{several.detail} They are {ids}.")) from None
        return self._accepted(client, challenge, client.withdraw_challenge)

    def _answer(self, client: Client, challenge: Challenge, companions: Companions) -> str:
        """The game of a challenge to the player; after a refusal what they choose instead."""
        if self._pick(["accept", "decline"]):
            with reaching(client):
                client.decline_challenge(challenge["id"])
            return self._game(client, companions)
        with reaching(client):
            challenge = client.accept_challenge(challenge["id"])
        return self._accepted(client, challenge, client.take_back_answer)

    def _accepted(self, client: Client, challenge: Challenge, stop: Callable[[str], None]) -> str:
        """The game of a challenge, once all accept it."""
        ident = challenge["id"]
        if challenge["status"] == "pending":
            names = _names([one["name"] for one in challenge["players"] if one["answer"] is None])
            self.screen.say(f"The game begins once {names} will play. Ctrl-C stops that.", "dim")
            challenge = self._until(client, lambda: client.wait_for_challenge(ident), lambda: stop(ident))
        if challenge["game"] is not None:
            return challenge["game"]
        if challenge["status"] == "declined":
            who = _names([one["name"] for one in challenge["players"] if one["answer"] == "declined"])
            why = next((one["reason"] for one in challenge["players"] if one["reason"] is not None), None)
            raise Lost(f"{who} will not play{f' ({why})'.replace('_', ' ') if why else ''}.")
        if challenge["status"] == "withdrawn":
            raise Lost("The challenge was withdrawn.")
        raise Lost("Nobody answered in time.")

    def _until(self, client: Client, wait: Callable[[], T], stop: Callable[[], None]) -> T:
        """What is waited for. Who interrupts it takes back what they have asked."""
        try:
            with reaching(client):
                return wait()
        except KeyboardInterrupt:
            try:
                with reaching(client):
                    stop()
            except Lost as fault:  # there may be a game by now
                self.screen.complain(str(fault))
            raise

    # What the command line leaves open

    def _rules(self) -> AnyRules:
        if self.wishes.ruleset is not None:
            try:
                return registry.latest(self.wishes.ruleset)
            except registry.UnknownRuleset as fault:
                raise Wrong(str(fault)) from None
        all_rules = registry.all_latest()
        self.screen.say("Which game?", "bold")
        told = [f"{rules.title}, for {players(rules)}" for rules in all_rules]
        return all_rules[self._pick(told)]

    def _seats(self, rules: AnyRules) -> int:
        counts = rules.seat_counts
        if self.wishes.seats is not None:
            if self.wishes.seats not in counts:
                raise Wrong(f"{rules.title} takes {players(rules)}, not {self.wishes.seats}.")
            return self.wishes.seats
        if self.wishes.bots is not None and len(self.wishes.bots) + 1 in counts:
            return len(self.wishes.bots) + 1
        if self.wishes.bots is not None or self.wishes.ruleset is not None:
            return counts[0]
        if len(counts) == 1:
            return counts[0]
        self.screen.say("How many players?", "bold")
        return counts[self._pick([how_many(n, "player") for n in counts], [str(n) for n in counts])]

    def _bots(self, rules: AnyRules, seats: int, *, others: bool) -> list[str]:
        """Which bots sit down, in the order of free seats. With `others`, seats may be left to people."""
        wanted = self.wishes.bots
        if wanted is None and self.wishes.ruleset is not None:
            wanted = (bots.usual(rules.ruleset),) * (seats - 1)
        if wanted is None:
            kinds = list(bots.playing(rules.ruleset))
            told = {
                "random": "random: anything legal",
                "greedy": "greedy: quick",
                "search": "search: thinks, strongest",
            }
            words = [f"against {told.get(kind, kind)}" for kind in kinds]
            if others:
                words.append("against people: leave the other seats free")
                kinds.append("")
            self.screen.say("Against whom?", "bold")
            kind = kinds[self._pick(words)]
            wanted = (kind,) * (seats - 1) if kind else ()
        for kind in wanted:
            try:
                guests.find(kind, rules.ruleset)()  # what cannot be made is told before anybody sits down
            except guests.NoSuchBot as fault:
                raise Wrong(str(fault)) from None
        if len(wanted) >= seats:
            raise Wrong(
                f"{how_many(len(wanted), 'bot')} and you are more than {how_many(seats, 'player')}."
                f" {rules.title} takes {players(rules)}: name fewer bots, or say more --seats."
            )
        if not wanted and not others:
            raise Wrong("Without a server somebody must play against you: name a bot.")
        return list(wanted)

    def _pick(self, words: Sequence[str], keys: Sequence[str] | None = None) -> int:
        keys = keys or [str(n + 1) for n in range(len(words))]
        for key, each in zip(keys, words, strict=True):
            self.screen.say(f"{key:>3}  {each}")
        while True:
            line = self.screen.ask()
            if line in keys:
                return keys.index(line)
            if line.lower() in ("quit", "q"):
                raise Left
            found = meant(line, words)
            if len(found) == 1:
                return found[0]
            if found:
                several = either(f"{keys[n]}  {words[n]}" for n in found)
                self.screen.complain(f"'{line}' may be {several}: type the number, or more of the words.")
            else:
                self.screen.complain(f"Type a number of the list ({keys[0]} to {keys[-1]}), its words, or `quit`.")


def meant(typed: str, words: Sequence[str]) -> list[int]:
    """Which lines of a list somebody means who types words of them: those that are called so (`Claim`); else those that
    begin so; else those that have words that begin so."""
    typed = typed.casefold().strip()
    told = [line.casefold() for line in words]
    if re.search(r"\w", typed) is None:
        return []
    for found in (
        [n for n, line in enumerate(told) if re.split("[,:]", line)[0] == typed],
        [n for n, line in enumerate(told) if line.startswith(typed)],
        [n for n, line in enumerate(told) if fits(line, typed)],
    ):
        if found:
            return found
    return []


def _sits(game: Game, player: str) -> bool:
    return any(seat["player"] == player for seat in game["seats"])


def _awaited(challenge: Challenge, player: str) -> bool:
    return any(one["player"] == player and one["answer"] is None for one in challenge["players"])


def _asked(challenge: Challenge) -> str:
    terms, names = challenge["terms"], _names([challenge["name"], *(one["name"] for one in challenge["players"])])
    limits = {
        "turns of {} s": terms["turn_seconds"],
        "banks of {} s": terms["bank_seconds"],
    }
    told = [words.format(seconds) for words, seconds in limits.items() if seconds is not None]
    told += ["rated"] if terms["rated"] else []
    on_terms = "".join(f", {each}" for each in told)
    return f"{printable(challenge['name'])} challenges you to {printable(terms['ruleset'])} ({names}){on_terms}"


def _names(names: Sequence[str]) -> str:
    return ", ".join(map(printable, names))


def _told(game: Game) -> str:
    names = ", ".join(printable(seat["bot"] or seat["name"] or "free") for seat in game["seats"])
    turn = f", turn {game['turn']}" if game["status"] == "active" else f", {game['status']}"
    return f"{printable(game['ruleset'])} ({names}){turn}, {game['id']}"
