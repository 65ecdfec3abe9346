"""LibreOffice as a second opinion: it computes workbooks anew, changes them, prints them.

One LibreOffice serves all tests of a session. It is spoken to by a child process of the system's
Python (`office_server.py`), because `uno` comes with LibreOffice and not from a package index.
"""

from __future__ import annotations

import contextlib
import json
import os
import select
import shutil
import signal
import subprocess
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from openpyxl.utils import get_column_letter

from differential.values import Place, Value, Values, Wrong

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

SERVER = Path(__file__).with_name("office_server.py")
PYTHON = "/usr/bin/python3"
NEEDED = "CALCGRAPH_NEED_OFFICE"
STARTING, ANSWERING, ENDING = 120.0, 120.0, 15.0
XLSX, PDF = "Calc MS Excel 2007 XML", "calc_pdf_Export"

# Excel's texts for LibreOffice's numbers. Its 502, a bad argument, may be #VALUE! there too.
ERRORS = {
    502: "#NUM!",
    503: "#NUM!",
    504: "#VALUE!",
    519: "#VALUE!",
    521: "#NULL!",
    524: "#REF!",
    525: "#NAME?",
    532: "#DIV/0!",
    32767: "#N/A",
}


class NoOffice(Exception):
    """LibreOffice, or its Python, is not on this machine."""


class OfficeFailed(Exception):
    """LibreOffice refused, crashed or took too long."""


@dataclass(frozen=True)
class Recalculated:
    """What LibreOffice makes of a workbook: a value for every cell that is not empty.

    LibreOffice has no truths, only numbers shown as TRUE: those are given as ``bool``. Where a
    format of the workbook shows them otherwise they come as 1.0 and 0.0. A truth that was typed in
    is the formula ``=TRUE()`` to it.
    """

    values: Values
    formulas: dict[Place, str]


def why_missing() -> str:
    """Say what of LibreOffice is missing, or nothing."""
    if not shutil.which("soffice"):
        return "there is no soffice"
    if not Path(PYTHON).exists():
        return f"there is no {PYTHON}"
    found = subprocess.run(
        [PYTHON, "-c", "import uno"], capture_output=True, text=True, check=False
    )
    if found.returncode:
        return f"{PYTHON} has no uno"
    return ""


class Office:
    """A running LibreOffice; a context manager, so that it always ends."""

    def __init__(self) -> None:
        missing = why_missing()
        if missing:
            message = f"LibreOffice (soffice with python3-uno) is not installed: {missing}"
            raise NoOffice(message)
        self._folder = tempfile.TemporaryDirectory(prefix="office", ignore_cleanup_errors=True)
        self._log = Path(self._folder.name, "log").open("w+b")  # noqa: SIM115 - until `close`
        self._rest = b""
        self._server = subprocess.Popen(
            [PYTHON, "-I", SERVER, str(shutil.which("soffice")), self._folder.name],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._log,
            start_new_session=True,
        )

    def __enter__(self) -> Self:
        try:
            self._answer(STARTING)
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End LibreOffice and all that it started."""
        assert self._server.stdin is not None, "it was opened with a pipe"
        assert self._server.stdout is not None, "it was opened with a pipe"
        self._server.stdin.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._server.wait(ENDING)
        self._signal(signal.SIGKILL)
        self._server.wait()
        self._server.stdout.close()
        self._log.close()
        self._folder.cleanup()

    def recalculate(
        self, path: str | os.PathLike[str], changes: Mapping[str, Value] | None = None
    ) -> Recalculated:
        """Open a workbook, put values into cells (a defined name or ``Sheet!B5``), compute all."""
        given = self._ask("recalculate", path, changes=list((changes or {}).items()))
        return _read(given)

    def recalculate_each(
        self, path: str | os.PathLike[str], changes: Sequence[Mapping[str, Value]]
    ) -> list[Values]:
        """Open a workbook once and compute it for each of some changes; truths are 1 and 0."""
        sets = [list(some.items()) for some in changes]
        given = self._ask("recalculate each", path, changes=sets)
        return [_read(one).values for one in given]

    def save_as(self, path: str | os.PathLike[str], out: str | os.PathLike[str]) -> Path:
        """Write a workbook as LibreOffice would: another .xlsx."""
        self._ask("save", path, out=os.fspath(out), format=XLSX)
        return Path(out)

    def pdf(self, path: str | os.PathLike[str], out: str | os.PathLike[str]) -> Path:
        """Print a workbook into a PDF."""
        self._ask("save", path, out=os.fspath(out), format=PDF)
        return Path(out)

    def pictures(self, path: str | os.PathLike[str], folder: Path, dots: int = 80) -> list[Path]:
        """Print a workbook into one PNG a page; needs pdftoppm."""
        pdf = self.pdf(path, folder / f"{Path(path).stem}.pdf")
        command = ["pdftoppm", "-png", "-r", str(dots), pdf, pdf.with_suffix("")]
        subprocess.run(command, check=True, capture_output=True, timeout=ANSWERING)
        return sorted(folder.glob(f"{pdf.stem}-*.png"))

    def _ask(self, what: str, path: str | os.PathLike[str], **more: object) -> Any:  # noqa: ANN401 - JSON
        request = {"do": what, "path": os.path.realpath(path), **more}
        assert self._server.stdin is not None, "it was opened with a pipe"
        try:
            self._server.stdin.write(json.dumps(request).encode() + b"\n")
            self._server.stdin.flush()
        except BrokenPipeError:
            raise OfficeFailed(self._last_words()) from None
        return self._answer(ANSWERING)

    def _answer(self, seconds: float) -> Any:  # noqa: ANN401 - JSON
        """Read one line, no longer than so many seconds."""
        assert self._server.stdout is not None, "it was opened with a pipe"
        deadline = time.monotonic() + seconds
        pieces = [self._rest]
        while b"\n" not in pieces[-1]:
            left = max(deadline - time.monotonic(), 0)
            if not select.select([self._server.stdout], [], [], left)[0]:
                self._signal(signal.SIGKILL)
                message = f"LibreOffice gave no answer in {seconds:.0f} s"
                raise OfficeFailed(message)
            piece = os.read(self._server.stdout.fileno(), 1 << 20)
            if not piece:
                raise OfficeFailed(self._last_words())
            pieces.append(piece)
        line, _, self._rest = b"".join(pieces).partition(b"\n")
        answer = json.loads(line)
        if "failed" in answer:
            raise OfficeFailed(answer["failed"])
        return answer["gives"]

    def _last_words(self) -> str:
        self._log.flush()
        said = Path(self._folder.name, "log").read_text(errors="replace").strip()
        return f"LibreOffice ended: {said[-2000:] or 'without a word'}"

    def _signal(self, number: signal.Signals) -> None:
        """Signal the server and LibreOffice: they share a process group that is only theirs."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._server.pid, number)


def _read(given: Mapping[str, list[Any]]) -> Recalculated:
    values: Values = {}
    formulas: dict[Place, str] = {}
    for sheet, cells in given.items():
        for row, column, value, formula, error in cells:
            place = (sheet, f"{get_column_letter(column + 1)}{row + 1}")
            values[place] = Wrong(ERRORS.get(error, value)) if error else value
            if formula is not None:
                formulas[place] = formula
    return Recalculated(values, formulas)


def office_needed() -> bool:
    """Whether a missing LibreOffice is a failure here, as it is in CI."""
    return os.environ.get(NEEDED, "") not in {"", "0"}
