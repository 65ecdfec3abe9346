"""The YAML language server that editors run, spoken to as an editor does: LSP over stdio."""

import json
import os
import queue
import shutil
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any, Self

NAME = "yaml-language-server"
SECONDS = 40
SETTINGS = {
    "yaml": {
        "validate": True,
        "completion": True,
        "hover": True,
        "schemaStore": {"enable": False, "url": ""},  # nothing from outside
        "schemas": {},
    }
}


def find_server() -> str | None:
    """Give the server's executable: what CALCGRAPH_YAML_SERVER names, else one on the PATH."""
    return os.environ.get("CALCGRAPH_YAML_SERVER") or shutil.which(NAME)


@dataclass
class LanguageServer:
    """A running server; positions are (line, character), both from 0."""

    process: subprocess.Popen[bytes]
    settings: dict[str, Any] = field(default_factory=lambda: SETTINGS)
    asked: int = 0
    waiting: "queue.Queue[dict[str, Any] | None]" = field(default_factory=queue.Queue)

    @classmethod
    @contextmanager
    def running(cls, command: str, schemas: dict[str, str] | None = None) -> Iterator[Self]:
        """Run it; ``schemas`` are the user's own settings: address of a schema to files."""
        settings = {"yaml": {**SETTINGS["yaml"], "schemas": schemas or {}}}
        with subprocess.Popen(
            [command, "--stdio"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        ) as process:
            server = cls(process, settings)
            try:
                server._start()
                yield server
            finally:
                process.kill()

    def problems(self, path: Path, text: str) -> list[dict[str, Any]]:
        """Open a file in the editor and give what is underlined."""
        uri = path.as_uri()
        document = {"uri": uri, "languageId": "yaml", "version": 1, "text": text}
        self._notify("textDocument/didOpen", {"textDocument": document})
        found = self._next(
            lambda said: (
                said.get("method") == "textDocument/publishDiagnostics"
                and said["params"]["uri"] == uri
            )
        )
        return list(found["params"]["diagnostics"])

    def completions(self, path: Path, position: tuple[int, int]) -> dict[str, str]:
        """Give what is offered at a place: keys to their descriptions."""
        found = self._ask("textDocument/completion", _at(path, position))
        items = found["items"] if isinstance(found, dict) else found
        return {item["label"]: _plain(item.get("documentation")) for item in items}

    def hover(self, path: Path, position: tuple[int, int]) -> str:
        """Give what is shown where the mouse rests."""
        return _plain((self._ask("textDocument/hover", _at(path, position)) or {}).get("contents"))

    def _start(self) -> None:
        assert self.process.stdout
        reader = threading.Thread(
            target=_read, args=(self.process.stdout, self.waiting), daemon=True
        )
        reader.start()
        markup = {"contentFormat": ["plaintext"]}
        text = {"completion": {"completionItem": {}}, "hover": markup, "publishDiagnostics": {}}
        can = {"workspace": {"configuration": True}, "textDocument": text}
        start = {"processId": os.getpid(), "rootUri": None, "capabilities": can}
        self._ask("initialize", start)
        self._notify("initialized", {})
        self._notify("workspace/didChangeConfiguration", {"settings": self.settings})

    def _ask(self, method: str, params: object) -> Any:  # noqa: ANN401 - whatever it answers
        self.asked += 1
        asked = self.asked
        self._send({"id": asked, "method": method, "params": params})
        answer = self._next(lambda said: said.get("id") == asked and "method" not in said)
        assert "error" not in answer, answer["error"]
        return answer["result"]

    def _notify(self, method: str, params: object) -> None:
        self._send({"method": method, "params": params})

    def _send(self, message: dict[str, Any]) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        assert self.process.stdin
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self.process.stdin.flush()

    def _next(self, wanted: Any) -> dict[str, Any]:  # noqa: ANN401 - a test of a message
        """Wait for a message, and answer meanwhile what the server asks."""
        end = time.monotonic() + SECONDS
        while True:
            said = self.waiting.get(timeout=max(end - time.monotonic(), 0.01))
            assert said is not None, "the language server ended"
            if wanted(said):
                return said
            if "method" in said and "id" in said:
                self._send({"id": said["id"], "result": self._answer(said)})

    def _answer(self, said: dict[str, Any]) -> Any:  # noqa: ANN401 - depends on the question
        if said["method"] != "workspace/configuration":
            return None
        asked = [item.get("section", "") for item in said["params"]["items"]]
        return [self.settings.get(section) for section in asked]


def _at(path: Path, position: tuple[int, int]) -> dict[str, Any]:
    line, character = position
    return {
        "textDocument": {"uri": path.as_uri()},
        "position": {"line": line, "character": character},
    }


def _plain(text: object) -> str:
    """Give the words of a description, which may come with how they are marked up."""
    return str(text["value"] if isinstance(text, dict) else text or "")


def _read(stream: IO[bytes], found: "queue.Queue[dict[str, Any] | None]") -> None:
    """Put each message into the queue; none at the end."""
    length = 0
    while line := stream.readline():
        if line.lower().startswith(b"content-length:"):
            length = int(line.split(b":")[1])
        elif not line.strip():
            found.put(json.loads(stream.read(length)))
    found.put(None)
