#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Finds units of a module that need each other.

A unit is x.h and x.cpp of one folder, together with the module's public header of the same path: one idea. Units that
include each other, directly or through others, are one idea cut in two, or both need a third unit: move the shared type
into a header of its own.

usage: check_cycles.py ROOT
Prints one line per cycle. Exits with 1 where there is one.
"""
import os
import re
import sys

INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"')
SOURCES = (".h", ".cpp")


def unit_of(relative):
    """include/zoe/ik/chain.h and src/ik/chain.cpp are both ik/chain; None for what is no unit of a module."""
    stem, extension = os.path.splitext(relative.replace(os.sep, "/"))
    if extension not in SOURCES:
        return None
    for prefix in ("include/zoe/", "src/"):
        if stem.startswith(prefix) and "/" in stem[len(prefix):]:
            return stem[len(prefix):]
    return None


def included_unit(path):
    """The unit behind an include as the sources write it: "zoe/ik/chain.h", "ik/chain.h"."""
    return unit_of("include/" + path if path.startswith("zoe/") else "src/" + path)


def files_under(root):
    for top in ("include/zoe", "src"):
        for folder, _, names in sorted(os.walk(os.path.join(root, top))):
            for name in sorted(names):
                if name.endswith(SOURCES):
                    yield os.path.relpath(os.path.join(folder, name), root)


def read_graph(root):
    """{unit: {other unit of the same module: "file:line" of an include}}"""
    graph = {}
    for relative in files_under(root):
        unit = unit_of(relative)
        if unit is None:
            continue
        uses = graph.setdefault(unit, {})
        with open(os.path.join(root, relative), encoding="utf-8") as file:
            for number, line in enumerate(file, 1):
                match = INCLUDE.match(line)
                other = included_unit(match.group(1)) if match else None
                if other and other != unit and other.split("/")[0] == unit.split("/")[0]:
                    uses.setdefault(other, f"{relative}:{number}")
    return graph


def components(graph):
    """Strongly connected ones of more than one unit (Tarjan 1972), without recursion."""
    index, low, on_stack, stack, found = {}, {}, set(), [], []
    for start in sorted(graph):
        if start in index:
            continue
        work = [(start, iter(sorted(graph[start])))]
        index[start] = low[start] = len(index)
        stack.append(start)
        on_stack.add(start)
        while work:
            unit, others = work[-1]
            for other in others:
                if other not in graph:
                    continue
                if other not in index:
                    index[other] = low[other] = len(index)
                    stack.append(other)
                    on_stack.add(other)
                    work.append((other, iter(sorted(graph[other]))))
                    break
                if other in on_stack:
                    low[unit] = min(low[unit], index[other])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[unit])
                if low[unit] == index[unit]:
                    part = []
                    while part[-1:] != [unit]:
                        part.append(stack.pop())
                        on_stack.discard(part[-1])
                    if len(part) > 1:
                        found.append(sorted(part))
    return found


def shortest_cycle(graph, part):
    """One cycle inside the component, as short as there is one."""
    best = None
    for start in part:
        before, queue = {start: None}, [start]
        while queue:
            unit = queue.pop(0)
            if start in graph[unit]:
                path = []
                while unit is not None:
                    path.append(unit)
                    unit = before[unit]
                path.reverse()
                if best is None or len(path) < len(best):
                    best = path
                break
            for other in sorted(graph[unit]):
                if other in part and other not in before:
                    before[other] = unit
                    queue.append(other)
    return best


def check(root):
    graph = read_graph(root)
    problems = []
    for part in components(graph):
        cycle = shortest_cycle(graph, part)
        edges = [f"{unit} -> {other} ({graph[unit][other]})" for unit, other in zip(cycle, cycle[1:] + cycle[:1])]
        rest = f"; {len(part)} units are tied together: {', '.join(part)}" if len(part) > len(cycle) else ""
        problems.append(f"{graph[cycle[0]][(cycle + cycle)[1]]}: cycle of units: {', '.join(edges)}{rest}")
    return problems


if __name__ == "__main__":
    found = check(sys.argv[1])
    for problem in found:
        print(problem)
    print("no cycles between units" if not found else f"{len(found)} cycles between units")
    sys.exit(1 if found else 0)
