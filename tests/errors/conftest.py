"""Running one command in this process, as the shell would."""

from collections.abc import Callable
from dataclasses import dataclass

import pytest

from calcgraph.cli import main


@dataclass(frozen=True)
class Ran:
    """What a command left behind."""

    code: int
    out: str
    err: str


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Callable[..., Ran]:
    def once(*arguments: str) -> Ran:
        capsys.readouterr()
        try:
            code = main(arguments)
        except SystemExit as end:  # argparse ends so
            code = end.code if isinstance(end.code, int) else 1
        found = capsys.readouterr()
        return Ran(code, found.out, found.err)

    return once
