"""A recurrent network as it is defined: one sentence, one token, one unit after the other."""

from __future__ import annotations

from math import exp, tanh


def levels(units):
    return [round(min(max(unit, 0.0), 1.0) * 1023) for unit in units]


def product(given, matrix, unit):
    return [sum(x * int(row[j]) for x, row in zip(given, matrix, strict=True)) * unit for j in range(len(matrix[0]))]


def sigmoid(x):
    return 1 / (1 + exp(-x))


def scores(configuration, arrays, member, vectors, columns):
    """Log odds of each token of a sentence, given the vectors of its words and its columns."""
    unit, own = configuration["units"][member], {name: array[member] for name, array in arrays.items()}
    tokens = []
    for i, vector in enumerate(vectors):
        sums = product([int(x) for x in vector], own["words"], 1)
        for name, column in zip(configuration["columns"], columns, strict=True):
            sums = [x + int(y) for x, y in zip(sums, own[f"table_{name}"][column[i]], strict=True)]
        tokens.append(levels([x * unit["words"] + float(b) for x, b in zip(sums, own["bias"], strict=True)]))
    hidden = [[float(b) for b in own["hidden_bias"]] for _ in tokens]
    for side, order in (("forward", range(len(tokens))), ("backward", range(len(tokens) - 1, -1, -1))):
        size = len(own[f"{side}_states"])
        state = [0.0] * size
        for i in order:
            given = product(tokens[i], own[f"{side}_inputs"], unit[f"{side}_inputs"] / 1023)
            given = [x + float(b) for x, b in zip(given, own[f"{side}_bias"], strict=True)]
            before = [round(x * 1023) for x in state]
            carried = product(before, own[f"{side}_states"], unit[f"{side}_states"] / 1023)
            for j in range(size):
                update = sigmoid(given[j] + carried[j])
                reset = sigmoid(given[size + j] + carried[size + j])
                new = tanh(given[2 * size + j] + reset * carried[2 * size + j])
                state[j] = (1 - update) * new + update * state[j]
            now = [round(x * 1023) for x in state]
            more = product(now, own[f"hidden_{side}"], unit[f"hidden_{side}"] / 1023)
            hidden[i] = [x + y for x, y in zip(hidden[i], more, strict=True)]
    return [product(levels(row), own["out"], unit["out"] / 1023)[0] + float(own["out_bias"]) for row in hidden]
