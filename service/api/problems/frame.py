"""The frame and the look of the service's pages: no scripts, nothing from other servers, light and dark."""

from __future__ import annotations

import html
import re

STYLE = """
:root{color-scheme:light dark;--ink:#1d2328;--soft:#5b6670;--line:#dfe3e6;--paper:#fff;--panel:#f6f7f8;--mark:#8a3b12;
--get:#1f6f43;--post:#8a5a00;--put:#3a4fa3;--delete:#a02c2c}
@media (prefers-color-scheme:dark){:root{--ink:#e4e7e9;--soft:#9aa5ae;--line:#2f363c;--paper:#14181b;--panel:#1c2226;
--mark:#e89a6a;--get:#6cc495;--post:#e0b155;--put:#9aacf5;--delete:#ee8a8a}}
*{box-sizing:border-box}
html{scroll-padding-top:1rem}
body{margin:0;background:var(--paper);color:var(--ink);font:16px/1.55 system-ui,sans-serif}
a{color:var(--mark);text-decoration:none}a:hover{text-decoration:underline}
a:focus-visible,summary:focus-visible{outline:2px solid var(--mark);outline-offset:2px}
h1{font-size:2rem;line-height:1.2;margin:0 0 1rem}h2{font-size:1.4rem;margin:3rem 0 .5rem;border-bottom:1px solid
var(--line);padding-bottom:.3rem}h3{font-size:1.1rem;margin:0}
h4{font-size:.8rem;margin:1.2rem 0 .3rem;color:var(--soft);
text-transform:uppercase;letter-spacing:.05em}
code,pre{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-size:.86em}
code{overflow-wrap:anywhere}
pre{background:var(--panel);border:1px solid var(--line);border-radius:6px;padding:.7rem .9rem;
overflow:auto;margin:.3rem 0;max-height:26rem}
table{border-collapse:collapse;width:100%;font-size:.92rem}td,th{text-align:left;vertical-align:top;
padding:.35rem .8rem .35rem 0;border-bottom:1px solid var(--line)}th{color:var(--soft);font-weight:600}
.page{max-width:50rem;margin:0 auto;padding:2.5rem 1.2rem}
.soft{color:var(--soft)}
"""


def frame(title: str, body: str, style: str = "", language: str = "en") -> str:
    """A whole page. `body` is HTML, `title` text."""
    return (
        f'<!doctype html><html lang="{language}"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        f"<title>{html.escape(title)}</title><style>{STYLE}{style}</style></head><body>{body}</body></html>"
    )


def prose(text: str) -> str:
    """Text with `code` in backquotes, as HTML."""
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", html.escape(text, quote=False))
