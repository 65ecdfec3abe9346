"""``book.graph``: each quantity is a unit-checked pint node in a networkx dependency graph."""

import pickle
import subprocess
import sys
from collections.abc import Callable
from datetime import date
from pathlib import Path

import networkx as nx
import pint
import pytest

import calcgraph as cg

Write = Callable[..., str]
ROOT = Path(__file__).parents[2]
FACTS = {"value", "unit", "formula", "label", "source", "kind"}

VARIANT = """
imports: {half: {sheet: cluster.yaml, set: {gpus: = total / 2}}}
inputs: {total: 16 gpu, spare: 1 USD}
calc:
  cost: = half.cost + spare -> USD
"""
CLUSTER = """
inputs: {gpus: 4 gpu, price: 2 USD/gpu}
calc:
  list_price: = gpus * price -> USD
  cost: = list_price * 0.9 -> USD
"""
BRANCHED = """
inputs: {a: 1 USD, b: 2 USD, late: false, other: 3 USD}
calc:
  now: = a + b
  then: = if(late, now, other)
  aside: = other * 2
  total: = then + aside
"""


def test_it_is_networkx_over_the_names_of_the_sheet(estimate: cg.Book) -> None:
    graph = estimate.graph

    assert isinstance(graph, nx.DiGraph)
    assert nx.is_directed_acyclic_graph(graph)
    assert set(graph) == set(estimate)
    assert set(graph.predecessors("train_time")) == {"total_flops", "cluster_rate"}
    above = nx.ancestors(graph, "train_time")
    assert {"gpus", "mfu", "tokens", "model", "arch.models.d_ff"} <= above
    assert not above & {"gpu_price", "cost", "days_at_min"}
    assert {"cost", "days_at_min"} <= nx.descendants(graph, "train_time")


def test_a_node_carries_its_quantity(sheet: Write) -> None:
    text = """
inputs:
  power: {value: 700 W, label: Board power, source: {title: data sheet, checked: 2026-11-01}}
calc:
  energy: = power * 1 [day] -> kWh
"""
    graph = cg.open(sheet(text)).graph

    assert dict(graph.nodes["power"]) == {
        "value": 700 * cg.ureg.W,
        "unit": "W",
        "formula": "",
        "label": "Board power",
        "source": "data sheet, checked 2026-11-01",
        "kind": "input",
    }
    energy = graph.nodes["energy"]
    assert energy["value"].to("kWh").magnitude == pytest.approx(16.8)
    assert energy["formula"] == "power * 1 [day] -> kWh"
    assert (energy["unit"], energy["label"], energy["kind"]) == ("kWh", "energy", "calc")
    assert list(graph.edges) == [("power", "energy")]


def test_what_is_not_a_number_is_a_plain_value(book: cg.Book) -> None:
    value = nx.get_node_attributes(book.graph, "value")

    assert value["since"] == date(2026, 1, 31)
    assert value["kind"] == "one"
    assert book.graph.nodes["kind"]["unit"] == ""
    assert value["on"] is True
    assert value["late"] is None
    assert value["hw.chips.since"] == (date(2022, 3, 1), None)
    assert value["hw.chips.price"].magnitude.tolist() == [2.0, 4.0]
    assert value["rate"].to("").magnitude == 0.4


def test_a_failed_value_is_its_error(book: cg.Book) -> None:
    found = book.graph.nodes["bad"]["value"]

    assert isinstance(found, cg.CellError)
    assert "division by zero" in str(found)
    assert book.set(gpus=10).graph.nodes["bad"]["value"].magnitude == 10.0


def test_every_node_is_an_address_of_the_book(estimate: cg.Book) -> None:
    for name, facts in estimate.graph.nodes(data=True):
        assert set(facts) == FACTS
        assert estimate.cell(name).name == name
        if isinstance(facts["value"], pint.Quantity):
            assert str(facts["value"]) == str(estimate.quantity(name))


def test_values_are_computed_when_they_are_read() -> None:
    code = (
        "import sys, networkx as nx, calcgraph as cg\n"
        "graph = cg.open('docs/examples/train_time.yaml').graph\n"
        "assert 'train_time' in nx.descendants(graph, 'gpus')\n"
        "assert {kind for _, kind in graph.nodes(data='kind')} == {'input', 'calc'}\n"
        "assert 'pint' not in sys.modules\n"
        "assert graph.nodes['train_time']['value'].check('[time]')\n"
    )

    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True)


def test_a_change_gives_a_graph_of_new_values(estimate: cg.Book) -> None:
    before, after = estimate.graph, estimate.set(gpus=512).graph

    assert after.nodes["gpus"]["value"] == 512 * cg.ureg.gpu
    assert after.nodes["train_time"]["value"] == estimate.set(gpus=512).quantity("train_time")
    assert after.nodes["train_time"]["value"] != before.nodes["train_time"]["value"]
    assert nx.utils.graphs_equal(nx.DiGraph(before.edges), nx.DiGraph(after.edges))


@pytest.mark.parametrize("name", ["gpus", "mfu", "tokens", "gpu_price"])
def test_descendants_are_what_an_input_moves(estimate: cg.Book, name: str) -> None:
    after = estimate.set({name: estimate.quantity(name) * 0.5})
    below = nx.descendants(estimate.graph, name)

    moved = {
        cell
        for cell, value in estimate.graph.nodes(data="value")
        if cell != name and str(after.graph.nodes[cell]["value"]) != str(value)
    }
    computed = {estimate.model.cells[number].name for number in after.evaluation.computed}

    assert moved
    assert moved <= below
    assert computed & set(estimate.graph) <= below


def test_descendants_hold_branches_that_are_not_taken(sheet: Write) -> None:
    book = cg.open(sheet(BRANCHED))

    assert nx.descendants(book.graph, "a") == {"now", "then", "total"}
    assert book.set(a="7 USD")["total"] == book["total"]
    assert book.set(late=True, a="7 USD")["total"] != book.set(late=True)["total"]


def test_cells_of_a_variant_are_nodes(sheet: Write) -> None:
    sheet(CLUSTER, "cluster.yaml")
    graph = cg.open(sheet(VARIANT)).graph

    assert nx.descendants(graph, "total") == {"half.gpus", "half.list_price", "half.cost", "cost"}
    assert graph.nodes["half.list_price"]["value"] == 16 * cg.ureg.USD
    assert graph.nodes["half.gpus"]["kind"] == "calc"


def test_parts_of_a_formula_are_no_nodes(sheet: Write) -> None:
    text = """
dims: {month: {from: 2026-01, to: 2026-03}}
inputs: {"cost[month]": {values: {2026-01: 1, 2026-02: 2, 2026-03: 4}, unit: USD}, rate: 3}
calc:
  total: = sum(cost * rate)
"""
    book = cg.open(sheet(text))

    assert set(book.graph.edges) == {("cost", "total"), ("rate", "total")}
    assert any(cell.kind == "helper" for cell in book.model.cells)
    assert book.graph.nodes["cost"]["value"].magnitude.tolist() == [1.0, 2.0, 4.0]
    assert book.graph.nodes["total"]["value"] == 21 * cg.ureg.USD


def test_a_copy_can_be_changed_and_the_graph_of_a_book_cannot(book: cg.Book) -> None:
    copy = book.graph.copy()
    copy.remove_node("gpus")
    copy.nodes["price"]["colour"] = "red"

    assert "gpus" in book.graph
    assert "colour" not in book.graph.nodes["price"]
    assert copy.nodes["price"]["value"] == book.quantity("price")
    with pytest.raises(nx.NetworkXError, match="Frozen graph"):
        book.graph.remove_node("gpus")


def test_views_and_other_kinds_of_graph_hold_the_values(book: cg.Book) -> None:
    price = book.quantity("price")

    assert book.graph.subgraph(["price"]).nodes["price"]["value"] == price
    assert book.graph.reverse().nodes["price"]["value"] == price
    assert book.graph.to_undirected().nodes["price"]["value"] == price
    assert "'kind': 'calc'" in repr(book.graph.nodes["price"])


def test_a_pickle_holds_computed_values(estimate: cg.Book, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pint.application_registry, "_registry", cg.ureg)

    graph = pickle.loads(pickle.dumps(estimate.graph))  # noqa: S301 - our own

    assert graph.nodes["train_time"]["value"] == estimate.quantity("train_time")
    assert nx.utils.nodes_equal(graph, estimate.graph)
    assert set(graph.edges) == set(estimate.graph.edges)
