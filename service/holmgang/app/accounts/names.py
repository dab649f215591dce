"""What may stand in a text that one person gives and others read: names of players, labels of tokens.

The tables are Unicode's own, out of libraries, so that each Python judges alike: its own tables are as old as itself.
"""

from __future__ import annotations

from collections import defaultdict
from functools import cache

import regex
import unicodedata2 as ucd
from confusable_homoglyphs import categories, confusables

from holmgang.bots.base import NAMES
from holmgang.engine.messages import Said, say

MOST = 64
"""The most code points of a name or a label."""
MOST_FOLDED = 200
"""Of what a name is looked for by: some letters stand for whole sentences."""
MOST_MARKS = 4
"""The most marks that stand on one letter (UTS 39, section 5.4)."""
BUILT_IN = "{bot} (built in)"
"""The names of the built-in bots' accounts."""
GONE = "Deleted player"
"""What is shown in place of the name of an account that was deleted."""
TITLES = (
    *("Random bot", "Greedy bot", "Thinking bot"),
    *("Robot au hasard", "Robot avide", "Robot réfléchi"),
    *("Willekeurige bot", "Gulzige bot", "Denkende bot"),
)
"""How the web table calls the built-in bots, in each language."""

# Blank in every font, though Unicode counts them neither as white space nor among what may be ignored: the empty
# Braille pattern, an object that is missing, the Khitan filler, the blank hieroglyphs, the musical head that is none.
_BLANK = r"\u2800\ufffc\U00016fe4\U00013441\U00013442\U0001d159"
_UNSEEN = regex.compile(rf"[\p{{Default_Ignorable_Code_Point}}\p{{Cc}}\p{{Cf}}\p{{Zl}}\p{{Zp}}{_BLANK}]")
_LINKED = r"(?<=\p{L}\p{M}*\p{ccc=9}(?:(?!\p{ccc=0})\p{M})*)"
_EMOJI = r"\p{Extended_Pictographic}(?:\ufe0f|\p{Emoji_Modifier})?"
_LAID = r"(?:(?=\p{M})\p{Joining_Type=Transparent})*"
_HELD = regex.compile(
    "|".join(
        (
            # UTS 51, ED-16: people and things in one picture.
            rf"{_EMOJI}(?:\u200d{_EMOJI})+",
            # UTS 51, ED-14c: the flags of England, Scotland and Wales.
            r"\U0001f3f4\U000e0067\U000e0062(?:\U000e0065\U000e006e\U000e0067|\U000e0073\U000e0063\U000e0074"
            r"|\U000e0077\U000e006c\U000e0073)\U000e007f",
            # UTS 51, ED-9a and ED-14c: drawn or written, and keys.
            r"[0-9#*]\ufe0f?\u20e3|(?![0-9#*])\p{Emoji}[\ufe0e\ufe0f]",
            # UTS 37: one of a Han character's shapes, as in 葛󠄀. Mongolian letters have such too.
            r"\p{Han}[\ufe00-\ufe02\U000e0100-\U000e01ef]|(?=\p{L})\p{Mongolian}[\u180b-\u180d\u180f]",
            # UAX 31, section 2.3, A1: letters that would join, kept apart.
            rf"(?<=[\p{{Joining_Type=L}}\p{{Joining_Type=D}}]{_LAID})\u200c"
            rf"(?={_LAID}[\p{{Joining_Type=R}}\p{{Joining_Type=D}}])",
            # The same, A2 and B: consonants that would be one conjunct, or half of one.
            rf"{_LINKED}\u200c(?=\p{{L}})|{_LINKED}\u200d(?!\p{{InSC=Vowel_Dependent}})",
            # Unicode 17, section 12.2: the Bengali ra before ya, and its kin.
            r"(?<=\p{L}\p{M}*)\u200d(?=\p{ccc=9}\p{L})",
        )
    )
)
"""Where characters that are not seen themselves change what is seen."""
_ANY_UNSEEN = regex.compile(r"[\p{Default_Ignorable_Code_Point}]")
_UNREADABLE = regex.compile(r"[\p{Co}\p{Cs}]")
_OTHER_BLANK = regex.compile(r"(?![ \u3000])\p{White_Space}|(?<=\p{White_Space})\p{White_Space}")
_BASELESS = regex.compile(r"(?:^|(?<=\p{White_Space}))\p{M}")
_TOO_HIGH = regex.compile(rf"(?:(?![\u0f8d-\u0fbc])[\p{{Mn}}\p{{Me}}]){{{MOST_MARKS + 1}}}|([\p{{Mn}}\p{{Me}}])\1")
_HEAP = regex.compile(rf"\p{{M}}{{{2 * MOST_MARKS + 1}}}")
_WORD = regex.compile(r"[\p{L}\p{M}\p{N}]+")
_MARK = regex.compile(r"\p{M}")
_NO_SCRIPT = {"COMMON", "INHERITED", "Unknown"}
"""What goes with every script, and characters that are younger than the library's table."""
_WRITTEN_TOGETHER = (
    {"LATIN", "HAN", "HIRAGANA", "KATAKANA"},
    {"LATIN", "HAN", "BOPOMOFO"},
    {"LATIN", "HAN", "HANGUL"},
)
"""UTS 39, section 5.2, Highly Restrictive."""


def composed(text: str) -> str:
    """The text in Normalization Form C: an accented letter is one whether typed as one character or as two."""
    normal: str = ucd.normalize("NFC", text)
    return normal


def called(character: str) -> str:
    """`U+115F HANGUL CHOSEONG FILLER`."""
    return f"U+{ord(character):04X} {ucd.name(character, '')}".rstrip()


def unseen(text: str) -> Said | None:
    """What in the text others cannot see or read, and what to do about it; None when all can be."""
    if not 0 < len(text) <= MOST or text != text.strip():
        return say("Must be 1 to {most} visible characters in one line, without blanks at its ends.", most=MOST)
    bare = _HELD.sub(lambda found: _ANY_UNSEEN.sub("", found[0]), text)
    if found := _UNSEEN.search(bare):
        return say("{character} cannot be seen here: leave it out.", character=called(found[0]))
    if found := _UNREADABLE.search(bare) or next((c for c in bare if ucd.category(c) == "Cn"), None):
        return say("{character} means nothing to others: leave it out.", character=called(found[0]))
    if found := _OTHER_BLANK.search(bare):
        return say(
            "{character} is one blank too many or an unusual one: write single plain spaces.",
            character=called(found[0]),
        )
    if found := _BASELESS.search(bare):
        return say(
            "{character} stands on no letter: leave it out, or put a letter before it.", character=called(found[0])
        )
    apart = ucd.normalize("NFD", bare)
    if found := _TOO_HIGH.search(apart) or _HEAP.search(apart):
        return say(
            "{character} is one mark too many: at most {most} stand on a letter, each of them once.",
            character=called(found[0][-1]),
            most=MOST_MARKS,
        )
    return None


def mistakable(name: str) -> Said | None:
    """Why a player's name, seen as it can be, would be taken for another: None when it would not.

    Each word is of one script (UTS 39, Highly Restrictive), digits are of one kind, and names of the built-in bots and
    of the service are theirs. What looks like Latin letters is not joined to such, as in `О'Hara`.
    """
    for joined in name.split():
        written = [(word, _scripts(word)) for word in _WORD.findall(joined)]
        for word, has in written:
            if len(has) > 1 and not any(has <= those for those in _WRITTEN_TOGETHER):
                return say(
                    "{character} is of another script than the letters beside it: write each word in one script.",
                    character=called(_stranger(word)),
                )
        if any("LATIN" in has for _, has in written):
            for word, has in written:
                if has and "LATIN" not in has and skeleton(word).isascii():
                    return say(
                        "'{word}' is not in Latin letters, though it looks so: write '{joined}' in one script.",
                        word=word,
                        joined=joined,
                    )
    if len({ord(c) - ucd.decimal(c) for c in name if ucd.category(c) == "Nd"}) > 1:
        return say("The digits are of several scripts: write them in one.")
    words = _read(name)
    whole = "".join(words)
    if whole in _ours() or whole.startswith(_bots()) or _mark() in ("".join(words[-1:]), "".join(words[-2:])):
        return say("This looks like a name of the service's own, or of one of its bots: choose another.")
    return None


def folded(text: str) -> str:
    """What a name is looked for by: without regard to case, to how its letters are composed, and to what is not seen
    (Unicode, D146: a compatibility caseless match). It begins alike where two names begin alike."""
    seen = _ANY_UNSEEN.sub("", ucd.normalize("NFD", text)).casefold()
    found: str = ucd.normalize("NFKC", ucd.normalize("NFKC", seen).casefold())
    return found[:MOST_FOLDED]


def skeleton(text: str) -> str:
    """What equals that of each text which looks the same (UTS 39, section 4; and a wide blank is a blank). It is for
    comparing only."""
    table = _prototypes()
    seen = _ANY_UNSEEN.sub("", ucd.normalize("NFD", text)).replace("\u3000", " ")
    looks: str = ucd.normalize("NFD", "".join(table.get(c, c) for c in seen))
    return looks


@cache
def _prototypes() -> dict[str, str]:
    """UTS 39's table: what stands for a character and for all that look like it.

    The library has each pair both ways. What stands for others is linked with all of them, they with it alone.
    """
    linked: dict[str, list[str]] = defaultdict(list)
    for one, others in confusables.confusables_data.items():
        linked[one.strip("\u200e")] += [other["c"].strip("\u200e") for other in others]  # as the file sets off Arabic
    table = {}
    for one, others in linked.items():
        if len(one) == len(others) == 1:
            (other,) = others
            if len(other) > 1 or (-len(linked[other]), other) < (-1, one):
                table[one] = other
    return table


def _scripts(word: str) -> set[str]:
    return set(categories.unique_aliases(word)) - _NO_SCRIPT


def _stranger(word: str) -> str:
    """The first letter of a script that fewer letters of the word have than its commonest."""
    kinds = [categories.alias(c) for c in word]
    commonest = max((kind for kind in kinds if kind not in _NO_SCRIPT), key=kinds.count)
    return next(c for c, kind in zip(word, kinds, strict=True) if kind not in {commonest, *_NO_SCRIPT})


def _read(name: str) -> tuple[str, ...]:
    """The words, for names that nobody else may have: in whatever letters, case and accents they are written."""
    plain = name
    for _ in range(2):  # what looks alike in capitals may not in small letters, and the other way round
        plain = ucd.normalize("NFKC", skeleton(plain)).casefold()
    plain = skeleton(plain).replace("i", "l")
    return tuple(_WORD.findall(_MARK.sub("", plain)))


@cache
def _ours() -> frozenset[str]:
    names = (*NAMES, *TITLES, "Holmgang", GONE, *(BUILT_IN.format(bot=bot) for bot in NAMES))
    return frozenset("".join(_read(name)) for name in names)


@cache
def _bots() -> tuple[str, ...]:
    """The names of the built-in bots' accounts, whatever stands behind them."""
    return tuple("".join(_read(BUILT_IN.format(bot=bot))) for bot in NAMES)


@cache
def _mark() -> str:
    """What stands behind the names of the built-in bots, whichever name stands before it."""
    return "".join(_read("built in"))
