"""The picture of a small graph shows the sheet as it is."""

from pathlib import Path

import calcgraph as cg

ROOT = Path(__file__).parents[2]


def test_the_picture_shows_every_quantity_of_the_sheet() -> None:
    book = cg.open(ROOT / "docs/examples/train_time.yaml")
    picture = (ROOT / "docs/pictures/graph.svg").read_text(encoding="utf-8")

    for name, label in book.graph.nodes(data="label"):
        assert f">{label}</text>" in picture
        assert f">{book.text(name)}</text>" in picture
    assert picture.count('class="edge"') == book.graph.number_of_edges()
