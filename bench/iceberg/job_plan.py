"""What to do about one learner in which table: from the governance files, the tables' columns and the OpenLineage events."""
import glob
import json
import tomllib
from collections import defaultdict, deque
from dataclasses import dataclass

from pyiceberg.expressions import EqualTo, In, Or

SUBJECT = "learner"


def read_rules(folder):
    rules = {}
    for name in ("retention", "metadata", "lineage"):
        with open(f"{folder}/{name}.toml", "rb") as file:
            rules[name] = tomllib.load(file)
    erasure = rules["retention"]["erasure"]
    for table, exception in erasure["exceptions"].items():
        if not exception.get("reason") or table not in rules["retention"]["tables"]:
            raise SystemExit(f"the exception of {table} has no reason, or no rule ends it")
    return rules


@dataclass(frozen=True)
class Step:
    """`key` is the column by which rows are the learner's; without one, the table is built again by `job`."""
    table: str
    key: str | None = None
    values: tuple = ()
    kept: bool = False
    cleared: tuple = ()
    job: str | None = None

    @property
    def rows(self):
        return EqualTo(self.key, self.values[0]) if len(self.values) == 1 else In(self.key, self.values)


class Graph:
    """The columns that each column comes from, by the last run of each job that ended."""

    def __init__(self, folder):
        last = {}
        for path in sorted(glob.glob(f"{folder}/*.ndjson")):
            with open(path, encoding="utf-8") as lines:
                for line in lines:
                    event = json.loads(line)
                    if event["eventType"] == "COMPLETE":
                        last[event["job"]["namespace"], event["job"]["name"]] = event
        self.copies, self.reaches, self.jobs = defaultdict(list), defaultdict(set), {}
        for event in last.values():
            names = {(d["namespace"], d["name"]): name_of(d) for d in event["inputs"] + event["outputs"]}
            for output in event["outputs"]:
                target = name_of(output)
                self.jobs[target] = event["job"]["name"]
                lineage = output["facets"].get("columnLineage", {})
                for column, found in lineage.get("fields", {}).items():
                    for source in found["inputFields"]:
                        table = names[source["namespace"], source["name"]]
                        self.reaches[table].add(target)
                        if any(how.get("subtype") == "IDENTITY" for how in source.get("transformations", ())):
                            self.copies[table, source["field"]].append((target, column))
                for source in lineage.get("dataset", ()):
                    self.reaches[names[source["namespace"], source["name"]]].add(target)


def name_of(dataset):
    for link in dataset["facets"].get("symlinks", {}).get("identifiers", ()):
        if link["type"] == "TABLE":
            return link["name"]
    return ".".join(dataset["name"].rsplit("/", 2)[1:])


def make_plan(tables, rules, graph, learner):
    """The tables with an id of the learner, then in the order of their making all that these reach."""
    subject = rules["retention"]["erasure"]["subjects"][SUBJECT]
    (id_column,) = subject["id_columns"]
    unaccounted = tables.keys() - rules["lineage"]["sources"].keys() - graph.jobs.keys()
    if unaccounted:
        raise SystemExit(f"nobody accounts for {sorted(unaccounted)}")
    exceptions = rules["retention"]["erasure"]["exceptions"]
    steps, keys = {}, {}
    for name in sorted(tables):
        if name in rules["lineage"]["sources"] and id_column in tables[name].schema().column_names:
            exception = exceptions.get(name)
            cleared = tuple(exception["erase_columns"]) if exception else ()
            steps[name] = Step(name, id_column, (learner,), exception is not None, cleared)
            keys[name] = id_column
    reached = deque(steps)
    while reached:
        source = reached.popleft()
        for target in sorted(graph.reaches[source] - steps.keys()):
            steps[target] = derived(tables, rules, graph, steps, target)
            reached.append(target)
    return list(steps.values())


def derived(tables, rules, graph, steps, target):
    """By an exact copy of the learner's id, or of the key of their rows; else its job runs again."""
    for source in steps.values():
        if source.key is None:
            continue
        for column in (source.key, *rules["metadata"]["tables"].get(source.table, {}).get("key", ())):
            for table, copy in graph.copies[source.table, column]:
                if table == target:
                    values = source.values if column == source.key else bridge(tables[source.table], source, column)
                    return Step(target, copy, values)
    return Step(target, job=graph.jobs[target])


def bridge(table, step, column):
    values = column_of(table, step, column)
    if values and table.scan(row_filter=In(column, values)).count() != len(values):
        raise SystemExit(f"a row of somebody else shares a value of {column} in {step.table} (L6)")
    return values


def column_of(table, step, column):
    return tuple(table.scan(row_filter=step.rows, selected_fields=(column,)).to_arrow()[column].to_pylist())


def rows_that_stay(step):
    from pyiceberg.expressions import AlwaysTrue, IsNull, Not
    if step is None or step.kept or not step.values:
        return AlwaysTrue()
    return Or(Not(step.rows), IsNull(step.key))
