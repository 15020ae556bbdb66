"""Tree kernels by their definitions: every subsequence of children, every pair of nodes, every fragment."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, product
from math import prod, sqrt


def nodes(tree):
    return [tree, *(node for child in tree.children for node in nodes(child))]


def gaps(places):
    """How many children a subsequence passes over."""
    return places[-1] - places[0] + 1 - len(places)


def partial_delta(one, two, decay, vertical, alike):
    """Moschitti (2006), eq. 3: μ (λ² + Σ λ^(gaps + gaps) Π Δ), over all pairs of equally long subsequences."""
    likeness = alike(one, two)
    if not likeness:
        return 0.0
    total = decay**2
    for length in range(1, min(len(one.children), len(two.children)) + 1):
        for left in combinations(range(len(one.children)), length):
            for right in combinations(range(len(two.children)), length):
                found = prod(
                    partial_delta(one.children[i], two.children[j], decay, vertical, alike)
                    for i, j in zip(left, right, strict=True)
                )
                total += decay ** (gaps(left) + gaps(right)) * found
    return vertical * total * likeness


def same_label(one, two):
    return float(one.label == two.label)


def partial(one, two, decay=0.4, vertical=0.4, alike=same_label):
    return sum(partial_delta(m, n, decay, vertical, alike) for m, n in product(nodes(one), nodes(two)))


def production(node):
    return node.label, tuple((child.label, bool(child.children)) for child in node.children)


def production_delta(one, two, decay, sigma):
    """Collins & Duffy (2002): λ Π (σ + Δ) over nodes with the same production."""
    if not one.children or not two.children or production(one) != production(two):
        return 0.0
    found = decay
    for left, right in zip(one.children, two.children, strict=True):
        if left.children:
            found *= sigma + production_delta(left, right, decay, sigma)
    return found


def subset(one, two, decay=0.4):
    return sum(production_delta(m, n, decay, 1) for m, n in product(nodes(one), nodes(two)))


def subtree(one, two, decay=0.4):
    return sum(production_delta(m, n, decay, 0) for m, n in product(nodes(one), nodes(two)))


def partial_fragments(tree, decay, vertical):
    """All partial trees of a tree as nested tuples, with their weights: the kernel's features, one by one."""
    found = Counter()
    for node in nodes(tree):
        found.update(_rooted(node, decay, vertical))
    return found


def _rooted(node, decay, vertical):
    found = Counter({(node.label,): sqrt(vertical) * decay})
    below = [_rooted(child, decay, vertical) for child in node.children]
    for length in range(1, len(below) + 1):
        for places in combinations(range(len(below)), length):
            for chosen in product(*(below[i].items() for i in places)):
                weight = sqrt(vertical) * decay ** gaps(places) * prod(value for _, value in chosen)
                found[(node.label, *(fragment for fragment, _ in chosen))] += weight
    return found
