"""What texts need so that Excel takes them for what they are: texts, links, or neither."""

from __future__ import annotations

import re

LONGEST_TEXT, LONGEST_URL = 32_767, 2_079
_CODED = re.compile(r"_(?=x[0-9A-Fa-f]{4}_)")
_WEB = re.compile(r"https?://[^\s\x00-\x1f\\\"<>]+", re.IGNORECASE)
_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")


def coded(text: str) -> str:
    """Write a text so that Excel, which reads ``_x0041_`` as ``A``, gives back just this text."""
    return _CODED.sub("_x005F_", text)


def looks_computed(text: str) -> bool:
    """Whether somebody who edits the cell, or saves it as CSV, would make a formula of a text."""
    return text.startswith(_STARTS)


def is_web(url: str) -> bool:
    """Whether an address may become a link: the web only, and no longer than Excel takes."""
    return len(url) <= LONGEST_URL and _WEB.fullmatch(url) is not None
