"""Every output as its user reads it, byte for byte; CALCGRAPH_WRITE_GOLDEN=1 writes them anew."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from calcgraph.cli import COMMANDS
from calcgraph.report import RENDERERS

Cli = Callable[[str], Any]

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
EXPECTED = HERE / "expected"
IS_WRITING = os.environ.get("CALCGRAPH_WRITE_GOLDEN") == "1"

ONE_PAGE = {
    "eval": "eval SHEET --stats",
    "eval_all": "eval SHEET --all",
    **{f"eval_{name}": f"eval SHEET --format {name}" for name in RENDERERS if name != "table"},
    "eval_set": "eval SHEET --set gpus=512 --set mfu=35% --stats",
    "eval_scenarios": "eval SHEET --scenario big --scenario tight --set tokens=1T",
    "eval_scenarios_json": "eval SHEET --scenario big --scenario tight --format json",
    "eval_cases": "eval SHEET --set gpus=256,512,1024",
    "eval_product": "eval SHEET --set gpus=512,1024 --set chip=h100_sxm,b200_hgx --stats",
    "eval_product_json": "eval SHEET --set gpus=512,1024 --set mfu=35%,40% --format json",
    "eval_product_csv": "eval SHEET --set gpus=512,1024 --set mfu=35%,40% --show cost --format csv",
    "eval_product_markdown": "eval SHEET --set gpus=512,1024 --scenario big --format markdown",
    "eval_too_small": "eval SHEET --set gpus=8 --set hw.accelerators[h100_sxm].hbm=40",
    "eval_refused": "eval SHEET --set gpu=8 --set mfu=90% --set cost=3 --set 'tokens=15 T token'",
    "explain": "explain SHEET cost",
    "explain_json": "explain SHEET cluster_rate --format json",
    "graph_dot": "graph SHEET",
    "graph_mermaid": "graph SHEET cost --format mermaid",
    "check": "check SHEET",
    "check_json": "check SHEET --format json",
}
LLAMA = {
    "eval_512": "eval SHEET --set gpus=512 --stats",
    "eval_all": "eval SHEET --all",
    "explain_cost": "explain SHEET cost --set gpus=512 --depth 1",
}
ESTIMATE = {
    "eval": "eval SHEET",
    "eval_all": "eval SHEET --all",
    "eval_json": "eval SHEET --format json",
    "eval_csv": "eval SHEET --format csv",
    "eval_markdown": "eval SHEET --format markdown",
    "eval_512": "eval SHEET --set gpus=512 --stats",
    "eval_cases": "eval SHEET --set gpus=256,512,1024",
    "eval_cases_csv": "eval SHEET --set gpus=256,512,1024 --show cost --format csv",
    "eval_product": "eval SHEET --set gpus=512,1024 --set mfu=35%,40% --show train_time",
    "eval_scenarios": "eval SHEET --scenario blackwell --scenario billed --set gpus=4096",
    "explain_train_time": "explain SHEET train_time",
    "explain_cost": "explain SHEET cost --set gpus=512 --depth 1",
    "explain_cost_json": "explain SHEET cost --depth 2 --format json",
    "graph_train_time": "graph SHEET train_time",
    "graph_mfu_rating": "graph SHEET mfu_rating --format mermaid",
    "check": "check SHEET",
    "check_json": "check SHEET --format json",
}
BUDGET = {
    "eval": "eval SHEET",
    "eval_all": "eval SHEET --all",
    "eval_json": "eval SHEET --format json",
    "eval_csv": "eval SHEET --show sales --show cost --show share --format csv",
    "eval_markdown": "eval SHEET --format markdown",
    "eval_show": "eval SHEET --show cost --show 'seats[eu, 2026-03]' --show 'cash[2027-03]'",
    "eval_cases": "eval SHEET --set growth=5%,20% --show sales --show share",
    "eval_unknown_label": "eval SHEET --show cash[2026-13]",
    "explain_cash": "explain SHEET cash[2026-03]",
    "explain_first": "explain SHEET cash[2026-01] --depth 1",
    "explain_lowest": "explain SHEET lowest --depth 2",
    "explain_json": "explain SHEET cost_of[2026-04] --depth 1 --format json",
    "check": "check SHEET",
    "check_json": "check SHEET --format json",
    "graph_share": "graph SHEET share --format mermaid",
}
LAYOUTS = {
    "eval": "eval SHEET",
    "eval_json": "eval SHEET --format json --show cand.slow --show cand.time[4/1]",
    "eval_csv": "eval SHEET --show time --show plan.pp --show cand.bubble --format csv",
    "eval_show": "eval SHEET --show cand.slow --show plan[2/2].tp --show cand.time[4/1]",
    "eval_stats": "eval SHEET --show best --stats",
    "explain_best_time": "explain SHEET best_time",
    "explain_per_gpu": "explain SHEET per_gpu[1/4] --depth 1",
    "explain_step": "explain SHEET cand.time[2/2] --depth 1 --format json",
    "check": "check SHEET",
    "graph_best": "graph SHEET best",
}
GENERAL = {
    "help": "--help",
    **{f"help_{command}": f"{command} --help" for command in COMMANDS},
    "units": "units",
    "units_GiB": "units GiB",
    "units_price": "units USD/gpu/hour",
    "units_percent": "units %",
    "units_year_json": "units year --format json",
    "units_refused": "units Gb",
    "functions": "functions",
    "functions_round": "functions round",
    "functions_divide": "functions /",
    "functions_ceil_json": "functions ceil --format json",
    "functions_refused": "functions roundd",
    "errors": "errors",
    "errors_CG401": "errors cg404",
    "errors_CG401_json": "errors CG401 --format json",
    "errors_refused": "errors CG999",
}
CASES = {
    **{f"one_page_{name}": (HERE / "one_page", line) for name, line in ONE_PAGE.items()},
    **{f"llama70b_{name}": (ROOT / "sheets", line) for name, line in LLAMA.items()},
    **{f"estimate_{name}": (ROOT / "docs" / "examples", line) for name, line in ESTIMATE.items()},
    **{f"budget_{name}": (HERE / "series", line) for name, line in BUDGET.items()},
    **{f"layouts_{name}": (HERE / "series", line) for name, line in LAYOUTS.items()},
    **{f"calcgraph_{name}": (ROOT, line) for name, line in GENERAL.items()},
}


@pytest.mark.parametrize("name", CASES)
def test_output_is_as_it_was(name: str, cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    folder, line = CASES[name]
    sheet = "llama70b" if folder.name == "one_page" else name.partition("_")[0]
    line = line.replace("SHEET", f"{sheet}.yaml")
    monkeypatch.chdir(folder)
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1796083200")  # 2026-12-01: sources grow old
    path = EXPECTED / f"{name}.txt"

    ran = cli(line)

    stderr = f"[stderr]\n{ran.err}" if ran.err else ""
    actual = f"$ calcgraph {line}\n{ran.out}{stderr}[exit {ran.code}]\n"
    if IS_WRITING:
        path.parent.mkdir(exist_ok=True)
        path.write_text(actual, encoding="utf-8")
    assert actual == path.read_text(encoding="utf-8"), "see CALCGRAPH_WRITE_GOLDEN in the docstring"


def test_no_golden_file_is_left_over() -> None:
    if IS_WRITING:
        for path in EXPECTED.iterdir():
            if path.stem not in CASES:
                path.unlink()

    assert {path.stem for path in EXPECTED.iterdir()} == set(CASES)
