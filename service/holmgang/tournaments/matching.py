"""Who goes with whom, at the highest sum: Edmonds' matching in general graphs.

It is by networkx, which takes long to load and which few rounds need: the first of them loads it.
"""

from __future__ import annotations

from collections.abc import Iterable


def best_pairs(edges: Iterable[tuple[int, int, int]]) -> list[tuple[int, int]]:
    """As many pairs as can be, and of those the ones with the highest sum of weights, each with its lower number first.

    `edges` are two numbers and the weight of their pair.
    """
    import networkx

    graph = networkx.Graph()
    graph.add_weighted_edges_from(edges)
    pairs = networkx.max_weight_matching(graph, maxcardinality=True)
    return [(min(pair), max(pair)) for pair in pairs]
