"""The smallest deterministic lattice of the same sentences."""

from __future__ import annotations

from collections.abc import Iterator

from tercet.errors import OptionError
from tercet.lattice.automaton import MOST_STATES, Lattice


def minimised(lattice: Lattice) -> Lattice:
    """Subset construction, then equal futures become one state, from the ends to the start."""
    final = set(lattice.finals)
    leaving: list[list[tuple[str, int]]] = [[] for _ in range(lattice.states)]
    for edge in lattice.edges:
        leaving[edge.source] += [(word, edge.target) for word in edge.words]

    subsets: dict[frozenset[int], int] = {frozenset([0]): 0}
    following: list[dict[str, int]] = []
    for subset in _growing(subsets):
        targets: dict[str, set[int]] = {}
        for state in sorted(subset):
            for word, target in leaving[state]:
                targets.setdefault(word, set()).add(target)
        following.append({word: subsets.setdefault(frozenset(s), len(subsets)) for word, s in targets.items()})
        if len(subsets) > MOST_STATES:
            raise OptionError(f"the deterministic lattice has more than {MOST_STATES} states; use fewer alternatives")
    accepts = [bool(subset & final) for subset in subsets]

    # a state is its future: whether it accepts, and which word leads to which future
    futures: dict[tuple[bool, tuple[tuple[str, int], ...]], int] = {}
    future = [-1] * len(subsets)
    for state in _ends_first(following):
        key = (accepts[state], tuple(sorted((word, future[target]) for word, target in following[state].items())))
        future[state] = futures.setdefault(key, len(futures))
    arcs = [(source, target, word) for (_, leaves), source in futures.items() for word, target in leaves]
    finals = [number for (accepting, _), number in futures.items() if accepting]
    return Lattice.make(arcs, future[0], finals)


def _growing(subsets: dict[frozenset[int], int]) -> Iterator[frozenset[int]]:
    """Every subset in turn, those too that are added meanwhile."""
    done = 0
    while done < len(subsets):
        for subset in list(subsets)[done:]:
            done += 1
            yield subset


def _ends_first(following: list[dict[str, int]]) -> list[int]:
    """States so that each comes after all that it leads to."""
    order: list[int] = []
    seen = [False] * len(following)
    stack = [(0, iter(following[0].values()))]
    seen[0] = True
    while stack:
        state, targets = stack[-1]
        target = next((t for t in targets if not seen[t]), None)
        if target is None:
            order.append(state)
            stack.pop()
        else:
            seen[target] = True
            stack.append((target, iter(following[target].values())))
    return order
