"""
Tables as other engines may leave them, what Lethe is to do with them, and whether what is left is right.

main.py make FOLDER FIRST COUNT   writes a lake for each seed and the steps for all of them
main.py check FOLDER              reads the results of the steps and the lakes; prints what is wrong
"""

import json
import os
import pickle
import sys
import warnings
from random import Random

import pyarrow as pa

import reader
from deletes import copy_on_write, deletion_vectors, equality_delete, position_delete
from people import mark
from work import Plan, public
from writer import Table

warnings.simplefilter("ignore")

DELETES = {
    1: [copy_on_write],
    2: [copy_on_write, position_delete, equality_delete],
    3: [deletion_vectors, equality_delete],
}


def make(folder, first, count):
    plans, lakes = [], []
    for seed in range(int(first), int(first) + int(count)):
        random = Random(seed)
        lake = f"{folder}/{seed}"
        table = Table(random, lake, "ns.t", 1 + seed % 3)
        for _ in range(random.choice([1, 3, 6])):
            if not table.snapshots or random.random() < 0.4:
                table.append(random.choice([1, 20, 40]))
            else:
                random.choice([Table.evolve, Table.evolve, *DELETES[table.version]])(table)
        if random.random() < 0.3:
            with open(f"{table.path}/data/.left-behind.parquet.tmp", "w") as stray:
                stray.write(mark(1))
        plans.append(Plan(random, table))
        outputs = [step | {"out": f"{folder}/{seed}.{at}.arrow"} for at, step in enumerate(plans[-1].steps)]
        lakes.append({"lake": lake, "steps": public(outputs)})
    with open(f"{folder}/plans.pickle", "wb") as out:
        pickle.dump(plans, out)
    with open(f"{folder}/lakes.json", "w") as out:
        json.dump(lakes, out)


def check(folder):
    """`results.json` has a list for each lake: what each step gave, as a count where there is one."""
    with open(f"{folder}/plans.pickle", "rb") as file:
        plans = pickle.load(file)
    with open(f"{folder}/lakes.json") as lakes, open(f"{folder}/results.json") as results:
        done = list(zip(plans, json.load(lakes), json.load(results)))
    faults = []
    for plan, lake, results in done:
        found = [*step_faults(plan, lake["steps"], results), *reader.faults_of(plan.table, plan)]
        faults += [f"{os.path.basename(lake['lake'])} (version {plan.table.version}): {fault}" for fault in found]
    json.dump(faults, sys.stdout)


def step_faults(plan, steps, results):
    for step, public_step, result in zip(plan.steps, steps, results):
        wanted = step["expect"]
        if step["do"] == "read":
            rows = []
            if os.path.exists(public_step["out"]):
                with pa.OSFile(public_step["out"]) as file:
                    rows = reader.named_rows(pa.ipc.open_file(file).read_all(), plan.table.columns)
            if wrong := reader.difference(wanted, rows):
                yield f"read: {wrong}"
        elif wanted is not None and result != wanted:
            yield f"{step['do']} {json.dumps(public(step), default=str)[:300]}: {result} where {wanted} is right"


if __name__ == "__main__":
    {"make": make, "check": check}[sys.argv[1]](*sys.argv[2:])
