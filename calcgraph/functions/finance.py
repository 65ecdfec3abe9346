"""Payments: what they are worth, what rate they earn, and equal instalments."""

from __future__ import annotations

from calcgraph.functions import unit_rules as rules
from calcgraph.functions.spec import Example, Function

FINANCE_ROWS = (
    Function(
        name="npv",
        params=("rate", "flow"),
        doc="The worth of flows at the first label; the first is undiscounted, rate is a period's.",
        units=rules.discounted,
        python="fi.npv({0}, {1})",
        array="vec.npv({0}, {1})",
        excel=(
            "SUMPRODUCT({1},(1+{0})^-(ROW({1})+COLUMN({1})-ROW(INDEX({1},1))-COLUMN(INDEX({1},1))))"
        ),
        examples=(
            Example("npv(0, flow)", "50 USD"),
            Example("abs(npv(10%, flow)) < 1e-9 [USD]", "true"),
        ),
        rejects=("npv(1 [USD], 2)", "npv(10%, 1 [USD])", "npv(10%, table.name)"),
        takes_series=True,
        singles=frozenset({0}),
        one_dim=True,
    ),
    Function(
        name="irr",
        params=("flow",),
        doc="The rate per period at which the flows are worth 0; of several, the nearest to 1%.",
        units=rules.irr,
        python="fi.irr({0})",
        array="vec.irr({0})",
        excel="IRR({0},0.01)",
        examples=(Example("round(irr(flow), 9)", "0.1"),),
        rejects=("irr(1)", "irr(table.name)", "irr()"),
        takes_na=True,
        gives_na="never",
        takes_series=True,
        one_dim=True,
    ),
    Function(
        name="pmt",
        params=("rate", "periods", "present", "future?", "type?"),
        doc="The payment per period that repays an amount: negative for a positive amount.",
        units=rules.payment,
        python="fi.pmt({args})",
        array="vec.pmt({args})",
        excel="PMT({args})",
        examples=(
            Example("pmt(0, 10, 1000 [USD])", "-100 USD"),
            Example("round(pmt(1%, 12, 1000 [USD]), 0.01 [USD])", "-88.85 USD"),
            Example("round(pmt(1%, 12, 0, 1000 [USD], 1), 0.01 [USD])", "-78.07 USD"),
        ),
        rejects=(
            "pmt(1 [1/year], 12, 1000 [USD])",
            "pmt(1%, 12 [month], 1000 [USD])",
            "pmt(1%, 12, 1000 [USD], 1 [day])",
            "pmt(1%, 12)",
        ),
        draws=("share", "whole", "number"),
    ),
)
