"""What may be a name: everybody's own, as long as it can be seen and told from the service's."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import regex
import unicodedata2
from babel.messages.pofile import read_po
from confusable_homoglyphs import confusables
from hypothesis import given
from hypothesis import strategies as st

from holmgang.api.operation.fields import OneLine
from holmgang.app.accounts.names import BUILT_IN, MOST, TITLES, composed, mistakable, skeleton, unseen
from holmgang.bots.base import NAMES

STAY = (
    *(
        "x",
        "n" * 64,
        "O'Neil",
        "O’Neil",
        "Jean-Luc",
        "Žižek",
        "Åsa Þórsdóttir",
        "Nguyễn Thị Minh",
        "Søren",
        "N°5",
        "^_^",
    ),
    *("Αθηνά", "Ἀθήνη", "Иван", "Вера", "Сара", "АСЕ", "Ծովինար", "ქეთევან", "ሰላም", "ᏣᎳᎩ", "ᚱᛅᚴᚾᛅ"),
    *(
        "日本太郎",
        "スズキ",
        "鈴木さん",
        "Tanakaさん",
        "山田　太郎",
        "葛\U000e0100城",
        "王小明Wang",
        "ㄅㄆㄇ",
        "한글",
        "김 Kim",
    ),
    *("محمد", "می‌خواهم", "خانه‌ها", "ٱلرَّحْمَٰن", "שָׁלוֹם", "בְּרֵאשִׁ֖ית"),
    *("தமிழ்", "क्‍ष", "राम्‌या", "ශ්‍රී", "ക്‍", "র‍্যাচেল", "ਪੰਜਾਬੀ", "ગુજરાતી", "ଓଡ଼ିଆ", "తెలుగు", "ಕನ್ನಡ", "മലയാളം", "বাংলা"),
    *("น้ำ", "กิ๊ก", "ລາວ", "ကျွန်ုပ်", "ភាសាខ្មែរ", "བསྒྲུབས", "བྷྲཱུཾ", "ꦧꦱꦗꦮ", "ᠮᠣᠩᠭᠣᠯ", "ᠭᠠ᠋"),
    *("👨‍👩‍👧‍👦", "👨‍👩‍👧 & co", "🏳️‍🌈", "👩🏽‍🚀", "❤️‍🔥", "🐦‍⬛", "🇳🇴", "👍🏽", "1️⃣ Erik", "#️⃣", "❤️", "☺︎", "Kraków ☕"),
    *("\U0001f3f4\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f",),
    *("Sara Сара", "Сара (Sara)", "Сара II", "Tom ТОМ", "日\U000323b0", "\ua7cbab"),
    *(
        "Иван Ivanov",
        "Иван (Ivan)",
        "π-rat",
        "greedy pig",
        "Random Joe",
        "Rebuilt",
        "Built Inge",
        "Built in Rust",
        "my bot",
        "Player1",
    ),
)


@pytest.mark.parametrize("name", STAY)
def test_names_of_all_scripts_stay_names(name: str) -> None:
    assert unseen(name) is None
    assert mistakable(name) is None
    assert regex.fullmatch(OneLine.pattern, name)


UNSEEN = regex.compile(r"[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\p{Zl}\p{Zp}]")
INVISIBLE = UNSEEN.findall("".join(map(chr, range(0x110000))))


@pytest.mark.parametrize("name", ["{}", "a{}b", "{}ab", "ab{}", "a{}", "한{}글", "م{0}{0}م", "क{}", "👨{}", "1{}"])
def test_what_is_not_seen_is_no_name_and_is_in_none(name: str) -> None:
    """Every such character of Unicode. Where one changes what is seen before it, it may stay."""
    assert len(INVISIBLE) > 4000
    seen = {"👨{}": "\ufe0e\ufe0f"}.get(name, "")
    assert [f"{ord(c):x}" for c in INVISIBLE if c not in seen and unseen(name.format(c)) is None] == []


def test_what_means_nothing_to_others_is_in_no_name() -> None:
    codes = [*range(0x10000), *range(0x10000, 0x110000, 97)]
    nothing = [c for c in map(chr, codes) if unicodedata2.category(c) in ("Cn", "Co", "Cs")]
    assert len(nothing) > 10_000
    assert [f"{ord(c):x}" for c in nothing if unseen(f"a{c}b") is None] == []


def test_blanks_are_single_plain_and_within() -> None:
    blanks = regex.findall(r"\p{White_Space}", "".join(map(chr, range(0x110000))))
    assert len(blanks) > 20
    for blank in blanks:
        for name in (blank, f"{blank}a", f"a{blank}", f"a{blank}{blank}b", f"a {blank}b"):
            assert unseen(name) is not None, ascii(name)
        assert (unseen(f"a{blank}b") is None) == (blank in " \u3000"), ascii(blank)


def test_marks_stand_on_letters_and_are_few() -> None:
    marks = [c for c in map(chr, range(0x110000)) if unicodedata2.category(c) in ("Mn", "Me") and not UNSEEN.match(c)]
    assert len(marks) > 1500
    for mark in marks:
        for name in (mark, f"a {mark}", f"a{mark * 5}", f"a{mark * 60}"):
            assert unseen(name) is not None, ascii(name)
    for first in range(0, len(marks) - 10, 10):
        assert unseen("a" + "".join(marks[first : first + 10])) is not None


@given(st.text(alphabet=st.characters(exclude_categories=()), max_size=70))
def test_what_is_taken_goes_with_the_published_pattern(text: str) -> None:
    name = composed(text)
    if unseen(name) is None:
        assert 0 < len(name) <= MOST
        assert regex.fullmatch(OneLine.pattern, name)
        assert composed(name) == name


def twins() -> Iterator[tuple[str, str]]:
    """Each letter of each name of a built-in bot in the place of which another of the library's table can stand."""
    for name in (*NAMES, *(BUILT_IN.format(bot=bot) for bot in NAMES), *TITLES):
        for spelt in {name, name.upper(), name.title()}:
            for at, letter in enumerate(spelt):
                for other in confusables.confusables_data.get(letter, ()):
                    looks = other["c"].strip("\u200e")
                    yield name, spelt[:at] + looks + spelt[at + 1 :]


def test_nobody_is_called_as_a_built_in_bot() -> None:
    pairs = list(twins())
    assert len(pairs) > 5000
    taken = [(name, ascii(twin)) for name, twin in pairs if mistakable(composed(twin)) is None]
    assert taken == []


@pytest.mark.parametrize(
    "name",
    [
        *NAMES,
        *TITLES,
        *("Greedy", "GREEDY", "g r e e d y", "greedy.", "(greedy)", "greedy (built in)", "GREEDY [BUILT-IN]", "grеedу"),
        *(
            "ｇｒｅｅｄｙ",
            "𝐠𝐫𝐞𝐞𝐝𝐲",
            "ⓖⓡⓔⓔⓓⓨ",
            "gréedy",
            "randorn",
            "Robot reflechi",
            "anything (buiIt in)",
            "me(builtin)",
            "greedy (built in) 2",
            "Greedy, built in!",
        ),
        *("Holmgang", "hoImgang", "HOLMGANG"),
    ],
)
def test_names_of_the_service_are_its_own(name: str) -> None:
    assert mistakable(composed(name)) is not None


def test_the_titles_are_those_of_the_web_table() -> None:
    said = set(TITLES[:3])
    for tag in ("fr", "nl"):
        with Path(f"service/holmgang/locale/{tag}/LC_MESSAGES/web.po").open("rb") as file:
            catalogue = read_po(file)
        said |= {str(message.string) for title in TITLES[:3] if (message := catalogue.get(title))}
    assert said == set(TITLES)


@pytest.mark.parametrize(
    "name", ["Аstrid", "Astrіd", "Αstrid", "О'Hara", "Anna-Ѕсор", "Ваsе Camp", "1١", "1٢3", "Ivаn Иван"]
)
def test_letters_and_digits_are_not_mixed(name: str) -> None:
    assert unseen(name) is None
    assert mistakable(name) is not None


def test_a_refusal_names_the_character_and_says_what_to_do() -> None:
    assert unseen("\u115f") == "U+115F HANGUL CHOSEONG FILLER cannot be seen here: leave it out."
    assert unseen("a\x07") == "U+0007 cannot be seen here: leave it out."
    assert unseen("a\u00a0b") == (
        "U+00A0 NO-BREAK SPACE is one blank too many or an unusual one: write single plain spaces."
    )
    assert mistakable("Аstrid") == (
        "U+0410 CYRILLIC CAPITAL LETTER A is of another script than the letters beside it: write each word in one"
        " script."
    )
    assert mistakable("ТОМ-Ivar") == (
        "'ТОМ' is not in Latin letters, though it looks so: write 'ТОМ-Ivar' in one script."
    )


@pytest.mark.parametrize(
    ("one", "other"),
    [
        *(("ACE", "АСЕ"), ("Iris", "lris"), ("Tom", "Torn"), ("Zoë", "Zoe\u0308"), ("O'Neil", "O’Neil")),
        *(("Sara ACE", "Sara АСЕ"), ("Jean Luc", "Jean\u3000Luc")),
    ],
)
def test_a_skeleton_is_that_of_all_that_looks_alike(one: str, other: str) -> None:
    assert skeleton(one) == skeleton(other)


@pytest.mark.parametrize(
    ("one", "other"), [("ACE", "ace"), ("Bjørn", "Bjorn"), ("Zoë", "Zoe"), ("Þór", "Por"), ("Иван", "Ivan")]
)
def test_what_can_be_told_apart_has_other_skeletons(one: str, other: str) -> None:
    assert skeleton(one) != skeleton(other)
