"""Functions as other tools call them lead to ours."""

import re

import pytest

from calcgraph.functions import CALLABLE
from calcgraph.typecheck.messages import ELSEWHERE


@pytest.mark.parametrize(("name", "advice"), ELSEWHERE.items())
def test_advice_names_functions_there_are(name: str, advice: str) -> None:
    assert name not in CALLABLE
    assert set(re.findall(r"([a-z0-9]+)\(", advice)) <= CALLABLE
