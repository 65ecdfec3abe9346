"""The characters that no sheet may hold: what a person sees must be what the engine reads."""

from __future__ import annotations

import re

from calcgraph.lang.tokens import describe_character

_CONTROLS = "\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ufff9-\ufffb\ufffe\uffff\ud800-\udfff"
_UNSEEN = (
    "\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f"
    "\u3164\ufeff\uffa0\U000e0000-\U000e007f"
)
FORBIDDEN = re.compile(f"[{_CONTROLS}{_UNSEEN}]|\r(?!\n)")
"""Controls, line ends that editors do not show, marks that turn or hide text, lone surrogates."""


def forbidden_message(char: str, where: str) -> str:
    """Say that a character may not stand in a sheet, a text, a value."""
    return f"{describe_character(char)} may not stand in {where}"
