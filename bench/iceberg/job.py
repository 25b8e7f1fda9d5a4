"""The whole erasure of learner 3590 on the example platform as PyIceberg does it, with what it does not have written here.

  job.py FOLDER GOVERNANCE

Plan from the lineage events, look for mentions, check every table, write down what a job that is killed goes on with, write the register,
delete with the sources first, clear the card of the payments that are kept, build the courses' figures again, push deleted entries out of
the manifests, expire, remove what nothing names, look into every file that is left, and write the evidence. Prints the CPU seconds and the
peak of this process from its start, and the rows of every table.
"""
import glob
import hashlib
import hmac
import json
import os
import resource
import shutil
import uuid
import warnings
from datetime import UTC, datetime
from sys import argv

import pyarrow as pa
import pyarrow.compute as pc
from pyiceberg.catalog.sql import SqlCatalog
from pyiceberg.expressions import IsNull, Not, Or

from job_plan import SUBJECT, Graph, make_plan, read_rules, rows_that_stay
from job_scan import Traces, is_text, mentions, scan
from named_files import named_files, path_of

warnings.simplefilter("ignore")
pa.set_cpu_count(2)
pa.set_io_thread_count(2)
os.environ["PYICEBERG_MAX_WORKERS"] = "2"

LEARNER, REQUEST, DAY = 3590, "bench-0001", "2026-10-01"
KEY = b"a key of this bench, thirty-two bytes or more"
NOTE = {"erasure-request": REQUEST}
INPUTS = {
    "learning.courses": ("course_id", "title"),
    "learning.enrollments": ("course_id", "enrollment_id", "completed_at"),
    "learning.events": ("course_id", "event_id"),
    "learning.reviews": ("course_id", "rating"),
}


def newest(folder):
    return max(glob.glob(f"{folder}/metadata/v*.metadata.json"), key=lambda name: int(os.path.basename(name)[1:].split(".")[0]))


def open_all(warehouse):
    catalog = SqlCatalog("bench", uri="sqlite:///:memory:", warehouse=f"file://{warehouse}")
    tables = {}
    for folder in sorted(glob.glob(f"{warehouse}/*/*/metadata")):
        namespace, name = folder.split("/")[-3:-1]
        catalog.create_namespace_if_not_exists(namespace)
        tables[f"{namespace}.{name}"] = catalog.register_table(f"{namespace}.{name}", newest(os.path.dirname(folder)))
    return catalog, tables


def refuse(tables, steps):
    """Before anything is changed: tables whose own settings would keep the learner."""
    for step in steps:
        table = tables[step.table]
        settings, names = table.properties, table.schema().column_names
        keeps = int(settings.get("history.expire.min-snapshots-to-keep", 1)) > 1 or len(table.refs()) > 1
        if settings.get("gc.enabled") == "false" or keeps or not set(step.cleared) <= set(names):
            raise SystemExit(f"{step.table} would keep the learner")


def ever(table, rows, columns):
    """Columns of rows as they are and as any snapshot still has them: a former value stands in old files and in copies (S1)."""
    for snapshot in table.snapshots():
        yield table.scan(row_filter=rows, snapshot_id=snapshot.snapshot_id, selected_fields=columns).to_arrow()


def note_traces(tables, steps, rules):
    identifying = rules["retention"]["erasure"]["subjects"][SUBJECT]["identifying"]
    sought = {}
    for name in identifying:
        table, column = name.rsplit(".", 1)
        sought.setdefault(table, []).append(column)
    texts, others, ids = [], [], {}
    for step in steps:
        columns = (*sought.get(step.table, ()), *step.cleared)
        if step.key is not None:
            ids.setdefault(step.key, set()).update(step.values)
            if columns:
                for found in ever(tables[step.table], step.rows, columns):
                    texts += [value for row in found.to_pylist() for value in row.values() if value]
                rest = Or(Not(step.rows), IsNull(step.key))
                others.append(tables[step.table].scan(row_filter=rest, selected_fields=columns).to_arrow())
    traces = Traces(texts, {column: sorted(values) for column, values in ids.items()}, {step.table for step in steps if step.kept})
    # What a namesake has too is no proof that the learner is still there (S3).
    traces.leave_out(lambda trace: any(holds_text(rows, trace) for rows in others))
    return traces


def holds_text(rows, trace):
    texts = (rows[name] for name in rows.column_names if is_text(rows.schema.field(name).type))
    return any(pc.any(pc.match_substring(pc.utf8_lower(column), trace)).as_py() for column in texts)


def count_mentions(tables, steps, traces):
    by_table, total = {step.table: step for step in steps}, 0
    for name, table in tables.items():
        step = by_table.get(name)
        if step is not None and step.key is None:
            continue
        texts = tuple(field.name for field in table.schema().as_arrow() if is_text(field.type) and not (step and field.name in step.cleared))
        if texts:
            total += mentions(table.scan(row_filter=rows_that_stay(step), selected_fields=texts).to_arrow(), traces)
    return total


def append_line(path, document):
    with open(path, "a", encoding="utf-8") as file:
        file.write(json.dumps(document, separators=(",", ":")) + "\n")
        file.flush()
        os.fsync(file.fileno())


class State:
    """What a job that was killed at any point goes on with (E4), each line on the disk before what follows it is done."""

    def __init__(self, folder):
        self.folder = f"{folder}/.lethe/{REQUEST}"
        os.makedirs(self.folder, mode=0o700)

    def begin(self, steps, traces):
        # The keys of the copies and the values are gone with the first delete.
        with open(os.open(f"{self.folder}/private.json", os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
            json.dump({"texts": traces.texts, "ids": traces.ids, "steps": [[step.table, step.key, step.values] for step in steps]}, file)
            file.flush()
            os.fsync(file.fileno())
        self.note(kind="start", request=REQUEST, day=DAY, steps=[[step.table, step.key, step.job] for step in steps])

    def note(self, **event):
        append_line(f"{self.folder}/journal.ndjson", event)

    def end(self):
        shutil.rmtree(self.folder)


def delete(table, step):
    """Rows deleted, and rows cleared."""
    rows = table.scan(row_filter=step.rows).to_arrow()
    if rows.num_rows == 0:
        return 0, 0
    if not step.kept:
        table.delete(step.rows, snapshot_properties=NOTE)
        return rows.num_rows, 0
    for column in step.cleared:
        field = rows.schema.field(column)
        rows = rows.set_column(rows.schema.get_field_index(column), field, pa.nulls(rows.num_rows, field.type))
    table.overwrite(rows, overwrite_filter=step.rows, snapshot_properties=NOTE)
    return 0, rows.num_rows


def build_courses(catalog, tables, events):
    """Drops its table and makes it again, as the platform's pipeline does, and reports the run."""
    run = {"runId": str(uuid.uuid4()), "facets": {}}
    append_line(events, lineage_event("START", run, tables))
    read = {name: tables[name].scan(selected_fields=columns).to_arrow() for name, columns in INPUTS.items()}
    built = read["learning.courses"]
    for part in (read["learning.enrollments"].group_by("course_id").aggregate([("enrollment_id", "count"), ("completed_at", "count")]),
                 read["learning.events"].group_by("course_id").aggregate([("event_id", "count")]),
                 read["learning.reviews"].group_by("course_id").aggregate([("rating", "mean")])):
        built = built.join(part, "course_id")
    names = {"enrollment_id_count": "enrollments", "completed_at_count": "completions", "event_id_count": "events", "rating_mean": "average_rating"}
    built = built.rename_columns([names.get(name, name) for name in built.column_names])
    target = tables["analytics.course_performance"]
    schema, location = target.schema(), target.location()
    old = named_files(target)
    catalog.drop_table("analytics.course_performance")
    made = catalog.create_table("analytics.course_performance", schema, location=location)
    made.append(built.select([field.name for field in schema.fields]).cast(made.schema().as_arrow()))
    for path in old:
        os.unlink(path)
    tables["analytics.course_performance"] = made
    append_line(events, lineage_event("COMPLETE", run, tables))


def lineage_event(kind, run, tables):
    def dataset(name):
        fields = [{"name": field.name, "type": str(field.field_type)} for field in tables[name].schema().fields]
        return {"namespace": "file", "name": path_of(tables[name].location()), "facets": {"schema": {"fields": fields}}}
    return {"eventType": kind, "eventTime": datetime.now(UTC).isoformat(), "run": run, "job": {"namespace": "learning-platform", "name": "platform.course_performance"},
            "inputs": [dataset(name) for name in INPUTS], "outputs": [dataset("analytics.course_performance")]}


def has_deleted_entries(table):
    return any(manifest.deleted_files_count for manifest in table.current_snapshot().manifests(table.io))


def clean(table, state):
    # A job that is killed between the commit and the removal finds by this what nothing names any more (E4).
    state.note(kind="named", table=table.name(), files=sorted(named_files(table)))
    if has_deleted_entries(table):
        # The deleted entry keeps the old file's bounds. An append leaves out a manifest that holds nothing else.
        table.append(table.schema().as_arrow().empty_table(), snapshot_properties=NOTE)
    current = table.current_snapshot()
    old = [snapshot.snapshot_id for snapshot in table.snapshots() if snapshot.snapshot_id != current.snapshot_id]
    if old:
        table.maintenance.expire_snapshots().by_ids(old).commit()
        table.refresh()
    for path in unreferenced(table):
        os.unlink(path)


def unreferenced(table):
    named = named_files(table)
    return [path for folder, _, files in os.walk(path_of(table.location())) for file in files if (path := os.path.join(folder, file)) not in named]


def can_travel(table, snapshot):
    try:
        table.scan(snapshot_id=snapshot).to_arrow()
        return True
    except (ValueError, FileNotFoundError):
        return False


def missing_properties(table, name, rules):
    modes, columns = rules["retention"]["statistics"], rules["metadata"]["tables"].get(name, {}).get("columns", {})
    wanted = [f"write.metadata.metrics.column.{column}" for column in table.schema().column_names if columns.get(column, "unclassified") in modes]
    return [name for name in (*wanted, "history.expire.max-snapshot-age-ms", "history.expire.min-snapshots-to-keep") if name not in table.properties]


def main():
    folder, rules = os.path.realpath(argv[1]), read_rules(argv[2])
    warehouse, events = f"{folder}/warehouse", f"{folder}/lineage/pipelines.ndjson"
    catalog, tables = open_all(warehouse)
    steps = make_plan(tables, rules, Graph(f"{folder}/lineage"), LEARNER)
    traces = note_traces(tables, steps, rules)
    named = count_mentions(tables, steps, traces)
    refuse(tables, steps)
    state = State(folder)
    state.begin(steps, traces)
    person = hmac.new(KEY, f"{SUBJECT}\0{LEARNER}".encode(), hashlib.sha256).hexdigest()
    register = f"{folder}/register.ndjson"
    append_line(register, {"request": REQUEST, "subject": SUBJECT, "hash": person, "state": "open"})
    before = {step.table: tables[step.table].current_snapshot().snapshot_id for step in steps}
    done = {}
    for step in steps:
        state.note(kind="before", table=step.table, snapshot=before[step.table])
        if step.key is not None:
            done[step.table] = delete(tables[step.table], step)
            state.note(kind="changed", table=step.table, rows=done[step.table])
    if any(step.key is None for step in steps):
        state.note(kind="named", table="analytics.course_performance", files=sorted(named_files(tables["analytics.course_performance"])))
        build_courses(catalog, tables, events)
        state.note(kind="rebuilt", table="analytics.course_performance")
    for step in steps:
        clean(tables[step.table], state)
    report = scan(warehouse, tables["crm.learners"].io, traces)
    holding = sum(len(paths) for _, paths in report.values())
    document = {
        "request": REQUEST, "day": DAY, "finishedAt": datetime.now(UTC).isoformat(), "register": person, "mentions": named,
        "tables": [{
            "table": step.table, "action": "rebuild" if step.key is None else "keep" if step.kept else "delete", "rows": done.get(step.table, (0, 0)),
            "cleared": step.cleared, "snapshotsLeft": len(tables[step.table].snapshots()) - 1, "unreferenced": len(unreferenced(tables[step.table])),
            "timeTravel": before[step.table] != tables[step.table].current_snapshot().snapshot_id and can_travel(tables[step.table], before[step.table]),
            "propertiesMissing": missing_properties(tables[step.table], step.table, rules),
        } for step in steps],
        "files": {name: {"read": read, "holding": len(paths)} for name, (read, paths) in report.items()},
    }
    document["digest"] = hashlib.sha256(json.dumps(document, sort_keys=True).encode()).hexdigest()
    os.makedirs(f"{folder}/evidence", exist_ok=True)
    append_line(f"{folder}/evidence/000001.json", document)
    if holding == 0:
        append_line(register, {"request": REQUEST, "subject": SUBJECT, "hash": person, "state": "closed"})
        state.end()
    used = resource.getrusage(resource.RUSAGE_SELF)
    rows = {name: table.scan().count() for name, table in tables.items()}
    print(json.dumps({"cpu": used.ru_utime + used.ru_stime, "peak": used.ru_maxrss / 1024, "result": {"holding": holding, "rows": rows}}))


if __name__ == "__main__":
    main()
