"""
An Iceberg table as some other engine may leave it, written by hand, version 1 to 3: schemas and partition specs that changed,
delete files of every kind, deleted entries with bounds, files without statistics or field ids. It knows its rows.
"""

import json
import os
import uuid

import pyarrow as pa
import pyarrow.parquet as pq
from pyiceberg.conversions import to_bytes

import avro
import avro_schemas
from people import PEOPLE, mark, person_id
from schema import EMAIL, KEY, PERSON, Schema
from values import arrow_array, arrow_field, drawn, iceberg, internal

NO_CLOCK = 1_790_000_000_000


class DataFile:
    """A data or delete file, and the rows of a data file with the schema that they were written by."""

    def __init__(self, path, spec, partition, rows=(), schema=(), **entry):
        self.path, self.spec, self.partition = path, spec, partition
        self.rows, self.schema = list(rows), schema
        self.hidden = set()
        self.first_row_id = None
        self.entry = {"content": 0, "file_format": "PARQUET", "file_size_in_bytes": os.path.getsize(path), **entry}

    @property
    def is_data(self):
        return self.entry["content"] == 0

    @property
    def count(self):
        return self.entry.get("record_count", len(self.rows))


class Table(Schema):
    def __init__(self, random, root, name, version):
        super().__init__(random, version)
        self.name = name
        self.path = os.path.join(root, *name.split("."))
        os.makedirs(f"{self.path}/metadata")
        os.makedirs(f"{self.path}/data")
        self.scheme = random.choice(["", "", "file:", "file://"])
        self.sparse = random.random() < 0.3  # statistics here and there
        self.names = {}
        self.snapshots, self.manifests, self.log = [], [], []
        self.sequence, self.next_row, self.rows_made, self.versions = 0, 0, 0, 0
        self.commit_metadata()

    def evolve(self):
        super().evolve()
        self.commit_metadata()

    # Rows

    def new_rows(self, count):
        rows = []
        for _ in range(count):
            person = self.random.choice([*PEOPLE, None])
            text = None if person is None else f"{mark(person)} was here"
            row = {column["id"]: drawn(self.random, column["type"], True, text) for column in self.columns}
            self.rows_made += 1
            row[KEY] = self.rows_made
            row[PERSON] = person_id(self.person_type, person)
            row[EMAIL] = None if person is None else f"{mark(person)}@example.org"
            rows.append(row)
        return rows

    def rows(self):
        """What a reader has to see, by the current schema; with the row's id in version 3."""
        return [
            {**self.seen(row), "row id": None if self.version < 3 else file.first_row_id + at}
            for file in self.files()
            if file.is_data
            for at, row in enumerate(file.rows)
            if at not in file.hidden
        ]

    def seen(self, row):
        return {column["id"]: seen_as(column["type"], row.get(column["id"])) for column in self.columns}

    # Files

    def files(self):
        return [file for manifest in self.manifests for status, file, *_ in manifest["entries"] if status != 2]

    def new_path(self, ending="parquet"):
        folder = f"{self.path}/data/{self.random.choice(['', '', '', 'sub dir', 'a[b]', 'wild*', 'ü', 'per%20cent'])}"
        os.makedirs(folder, exist_ok=True)
        return f"{folder.rstrip('/')}/{uuid.UUID(int=self.random.getrandbits(128))}.{ending}"

    def spelled(self, path):
        return self.scheme + path

    def write_parquet(self, columns, rows, ids=True):
        path = self.new_path()
        fields = [arrow_field(c["name"], c["type"], not c["required"], c["id"] if ids else None) for c in columns]
        arrays = [arrow_array(c["type"], [row.get(c["id"]) for row in rows], ids) for c in columns]
        random = self.random
        pq.write_table(
            pa.Table.from_arrays(arrays, schema=pa.schema(fields)),
            path,
            compression=random.choice(["snappy", "zstd", "gzip", "none", "lz4"]),
            row_group_size=random.choice([5, 1000]),
            use_dictionary=random.random() < 0.6,
            write_statistics=random.random() < 0.8,
            write_page_index=random.random() < 0.3,
            data_page_version=random.choice(["1.0", "2.0"]),
        )
        return path

    def write_data(self, rows, partition, spec):
        path = self.write_parquet(self.columns, rows, not self.by_name)
        metrics = self.metrics(rows)
        return DataFile(path, spec, partition, rows, self.columns, record_count=len(rows), **metrics)

    def metrics(self, rows):
        names = ["value_counts", "null_value_counts", "nan_value_counts", "lower_bounds", "upper_bounds"]
        counts, nulls, nans, lower, upper = metrics = [{}, {}, {}, {}, {}]
        absent = lambda: self.sparse and self.random.random() < 0.3
        for column in self.columns:
            kind, at = column["type"], column["id"]
            if not isinstance(kind, str) or absent():
                continue
            values = [row.get(at) for row in rows]
            counts[at] = len(values)
            nulls[at] = values.count(None)
            values = [value for value in values if value is not None]
            if kind in ("float", "double"):
                nans[at] = sum(value != value for value in values)
                values = [value for value in values if value == value]
            if not values or absent():
                continue
            least, most = (end(values, key=order(kind)) for end in (min, max))
            lower[at] = bound(kind, least[:16] if kind in ("string", "binary") else least)
            most = raised(most) if kind in ("string", "binary") and len(most) > 16 else most
            if most is not None:
                upper[at] = bound(kind, most)
        if self.sparse and self.random.random() < 0.3:
            return {}
        return dict(zip(names, metrics))

    # Commits

    def append(self, count):
        spec = len(self.specs) - 1
        parts = {}
        for row in self.new_rows(count):
            parts.setdefault(self.partition_of(row, self.specs[spec]), []).append(row)
        if not self.specs[spec] and self.random.random() < 0.15:
            self.commit("append", [self.write_data([], (), spec)])  # a file without rows
        self.commit("append", [self.write_data(rows, partition, spec) for partition, rows in parts.items()])

    def commit(self, operation, added, removed=()):
        """One snapshot: manifests with a removed file are written again, new files get manifests of their own."""
        snapshot = self.random.getrandbits(62) + 1
        self.sequence += self.version > 1
        manifests = []
        for manifest in self.manifests:
            entries = [entry for entry in manifest["entries"] if entry[0] != 2]
            if not any(entry[1] in removed for entry in entries):
                manifests.append(manifest)
                continue
            again = [
                (2, file, snapshot, sequence) if file in removed else (0, file, by, sequence)
                for _, file, by, sequence in entries
            ]
            manifests.append(self.write_manifest(manifest["spec"], manifest["content"], again, snapshot))
        groups = {}
        for file in added:
            groups.setdefault((file.spec, int(not file.is_data)), []).append((1, file, snapshot, self.sequence))
        manifests += [self.write_manifest(spec, content, entries, snapshot) for (spec, content), entries in groups.items()]
        first = self.next_row
        for manifest in manifests:
            if self.version == 3 and manifest["content"] == 0 and manifest["listed"].get("first_row_id") is None:
                self.number(manifest)
        name = f"{self.path}/metadata/snap-{snapshot}-1-{uuid.UUID(int=self.random.getrandbits(128))}.avro"
        listed = [manifest["listed"] for manifest in manifests]
        self.write_avro(name, avro_schemas.manifest_list(self.version), listed, {"format-version": str(self.version)})
        made = {"snapshot-id": snapshot, "timestamp-ms": NO_CLOCK + len(self.snapshots), "summary": {"operation": operation}}
        made |= {"manifest-list": self.spelled(name), "schema-id": len(self.schemas) - 1}
        if self.snapshots:
            made["parent-snapshot-id"] = self.snapshots[-1]["snapshot-id"]
        if self.version > 1:
            made["sequence-number"] = self.sequence
        if self.version > 2:
            made |= {"first-row-id": first, "added-rows": self.next_row - first}
        self.snapshots.append(made)
        self.manifests = manifests
        self.commit_metadata()

    def number(self, manifest):
        """Gives row ids to the files of a new data manifest."""
        manifest["listed"]["first_row_id"] = self.next_row
        for status, file, *_ in manifest["entries"]:
            if status != 2 and file.first_row_id is None:
                file.first_row_id = self.next_row
                self.next_row += file.count

    def write_manifest(self, spec, content, entries, snapshot):
        fields = self.specs[spec]
        records = []
        for status, file, by, sequence in entries:
            written = {key: pairs(value) for key, value in file.entry.items()}
            written |= {"file_path": self.spelled(file.path), "block_size_in_bytes": 0, "first_row_id": file.first_row_id}
            written["partition"] = {f"p{field['field-id']}": value for field, value in zip(fields, file.partition)}
            known = None if status == 1 else sequence
            numbers = {"sequence_number": known, "file_sequence_number": known}
            records.append({"status": status, "snapshot_id": by, **numbers, "data_file": written})
        path = f"{self.path}/metadata/{uuid.UUID(int=self.random.getrandbits(128))}-m0.avro"
        schema = avro_schemas.manifest(self.version, [(field["field-id"], self.partition_type(field)) for field in fields])
        about = {"schema": json.dumps(self.schema(-1)), "schema-id": str(len(self.schemas) - 1)}
        about |= {"partition-spec": json.dumps(fields), "partition-spec-id": str(spec), "format-version": str(self.version)}
        about["content"] = "deletes" if content else "data"
        length = self.write_avro(path, schema, records, about)
        listed = {"manifest_path": self.spelled(path), "manifest_length": length, "partition_spec_id": spec}
        oldest = min(sequence for *_, sequence in entries)
        listed |= {"content": content, "sequence_number": self.sequence, "min_sequence_number": oldest, "added_snapshot_id": snapshot}
        for status, name in enumerate(["existing", "added", "deleted"]):
            files = [file for entry_status, file, *_ in entries if entry_status == status]
            listed |= {f"{name}_files_count": len(files), f"{name}_rows_count": sum(file.count for file in files)}
        return {"spec": spec, "content": content, "entries": entries, "listed": listed}

    def write_avro(self, path, schema, records, about):
        data = avro.write(schema, records, about, self.random.randbytes(16), self.random.choice(["deflate", "null"]))
        with open(path, "wb") as out:
            out.write(data)
        return len(data)

    def schema(self, at):
        return {"type": "struct", "schema-id": at % len(self.schemas), "fields": self.schemas[at]}

    def commit_metadata(self):
        if self.by_name:
            self.properties["schema.name-mapping.default"] = json.dumps([self.mapped(column) for column in self.columns])
        specs = [{"spec-id": at, "fields": spec} for at, spec in enumerate(self.specs)]
        current = self.snapshots[-1]["snapshot-id"] if self.snapshots else None
        document = {
            "format-version": self.version,
            "table-uuid": str(uuid.uuid5(uuid.NAMESPACE_URL, self.path)),
            "location": self.spelled(self.path),
            "last-updated-ms": NO_CLOCK + 1000,
            "last-column-id": self.last_id,
            "schemas": [self.schema(at) for at in range(len(self.schemas))],
            "current-schema-id": len(self.schemas) - 1,
            "partition-specs": specs,
            "default-spec-id": len(specs) - 1,
            "last-partition-id": self.last_partition,
            "sort-orders": [{"order-id": 0, "fields": []}],
            "default-sort-order-id": 0,
            "properties": self.properties,
            "snapshots": self.snapshots,
            "current-snapshot-id": -1 if current is None and self.version < 3 else current,
            "metadata-log": self.log,
        }
        if self.version == 1:
            document |= {"schema": self.schema(-1), "partition-spec": self.specs[-1]}
        else:
            document["last-sequence-number"] = self.sequence
        if self.version > 1 and current is not None:
            document["refs"] = {"main": {"snapshot-id": current, "type": "branch"}}
        if self.version == 3:
            document["next-row-id"] = self.next_row
        self.versions += 1
        path = f"{self.path}/metadata/v{self.versions}.metadata.json"
        with open(path, "w") as out:
            json.dump(document, out)
        with open(f"{self.path}/metadata/version-hint.text", "w") as out:
            out.write(str(self.versions))
        self.log = [*self.log, {"timestamp-ms": NO_CLOCK + 1000, "metadata-file": self.spelled(path)}]

    def mapped(self, column):
        """A column's line in the name mapping: every name that it ever had."""
        names = self.names.setdefault(column["id"], [])
        if column["name"] not in names:
            names.append(column["name"])
        kind, inside = column["type"], []
        if isinstance(kind, dict) and kind["type"] == "struct":
            inside = kind["fields"]
        elif isinstance(kind, dict):
            parts = ["element"] if kind["type"] == "list" else ["key", "value"]
            inside = [{"id": kind[f"{part}-id"], "name": part, "type": kind[part]} for part in parts]
        return {"field-id": column["id"], "names": list(names), "fields": [self.mapped(one) for one in inside]}


def seen_as(kind, value):
    """A value of an older schema, as a newer one reads it: fields that are gone are left out, new ones are null."""
    if value is None or isinstance(kind, str):
        return value
    if kind["type"] == "struct":
        return {field["id"]: seen_as(field["type"], value.get(field["id"])) for field in kind["fields"]}
    if kind["type"] == "list":
        return [seen_as(kind["element"], item) for item in value]
    return [(key, seen_as(kind["value"], item)) for key, item in value]


def pairs(value):
    """A map with integer keys as Avro holds it."""
    return [{"key": key, "value": item} for key, item in sorted(value.items())] if isinstance(value, dict) else value


def order(kind):
    return (lambda value: value.encode()) if kind == "string" else (lambda value: value)


def bound(kind, value):
    return to_bytes(iceberg(kind), internal(kind, value))


def raised(value):
    """An upper bound of 16 characters or bytes for a longer value; None where there is none."""
    units = list(value[:16])
    while units:
        last = units.pop()
        if isinstance(last, str) and last < "\U0010ffff":
            return "".join([*units, chr(ord(last) + 1)])
        if isinstance(last, int) and last < 255:
            return bytes([*units, last + 1])
    return None
