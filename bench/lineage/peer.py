"""Reads OpenLineage events, builds the column graph and takes what is downstream of some columns: orjson with rustworkx or networkx.

  peer.py LIBRARY FILE SEEDS    SEEDS is a JSON list of [namespace, name, column]
"""
import json
import resource
import sys

import orjson

library, path, wanted = sys.argv[1], sys.argv[2], json.loads(sys.argv[3])
if library == "rustworkx":
    import rustworkx
else:
    import networkx


def cpu():
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


before = cpu()
number, pairs = {}, []
with open(path, "rb") as lines:
    for line in lines:
        for output in orjson.loads(line)["outputs"]:
            for column, field in output["facets"]["columnLineage"]["fields"].items():
                end = number.setdefault((output["namespace"], output["name"], column), len(number))
                for source in field["inputFields"]:
                    key = (source["namespace"], source["name"], source["field"])
                    pairs.append((number.setdefault(key, len(number)), end))
seeds = [number[tuple(key)] for key in wanted if tuple(key) in number]
# One node in front of all seeds: one walk.
if library == "rustworkx":
    graph = rustworkx.PyDiGraph(multigraph=False)
    graph.add_nodes_from(range(len(number)))
    graph.add_edges_from_no_data(pairs)
    root = graph.add_node(None)
    graph.add_edges_from_no_data([(root, seed) for seed in seeds])
    reached = len(rustworkx.descendants(graph, root)) - len(seeds)
else:
    graph = networkx.DiGraph()
    graph.add_edges_from(pairs)
    graph.add_edges_from((-1, seed) for seed in seeds)
    reached = len(networkx.descendants(graph, -1)) - len(seeds)
taken = cpu() - before
print(json.dumps({"cpu": taken, "peak": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, "reached": reached}))
