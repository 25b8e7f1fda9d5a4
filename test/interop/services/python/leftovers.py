"""What is left of a person in files, told by other libraries than Lethe's: pyarrow decodes Parquet, PyIceberg's reader Avro and its
codecs bounds, Apache DataSketches says what a theta sketch has counted. `leftovers.ts` says what is asked."""

import gzip
import json
import urllib.parse

import datasketches
import pyarrow.parquet as pq
from pyiceberg.avro.file import AvroFile
from pyiceberg.conversions import from_bytes
from pyiceberg.io.pyarrow import PyArrowFileIO
from pyiceberg.schema import Schema
from pyiceberg.table.puffin import PuffinFile

io = PyArrowFileIO()


class Person:
    def __init__(self, id_column: str, id: int, text: str):
        self.id_column, self.id, self.text = id_column, id, text

    def is_in(self, value) -> bool:
        """The text may stand in any value; a number is the person's only in the column of ids."""
        if isinstance(value, str):
            return self.text in value
        if isinstance(value, (bytes, bytearray)):
            return self.text.encode() in value
        if isinstance(value, dict):
            return any(self.is_in(one) for pair in value.items() for one in pair)
        if isinstance(value, (list, tuple)):
            return any(self.is_in(one) for one in value)
        return False

    def is_value(self, column: str | None, value) -> bool:
        return self.is_in(value) or (column == self.id_column and value == self.id)

    def is_cut_to(self, bound: str) -> bool:
        """The value as a lower bound keeps it, or as an upper one: 16 characters, the last one raised."""
        cut = self.text[:16]
        return bound in (cut, cut[:-1] + chr(ord(cut[-1]) + 1))

    def is_in_path(self, path: str) -> bool:
        plain = urllib.parse.unquote(path)
        return self.text in plain or f"{self.id_column}={self.id}" in plain.split("/")


def parquet(path: str, person: Person) -> set:
    file = pq.ParquetFile(path)
    found = set()
    for name, column in zip(file.schema_arrow.names, file.read().columns):
        if any(person.is_value(name, value) for value in column.to_pylist()):
            found.add("data")
    for group in range(file.metadata.num_row_groups):
        for at in range(file.metadata.num_columns):
            column = file.metadata.row_group(group).column(at)
            statistics = column.statistics
            if statistics is None or not statistics.has_min_max:
                continue
            for value in (statistics.min, statistics.max):
                if person.is_value(column.path_in_schema, value):
                    found.add("footer")
    # Statistics that pyarrow does not trust, and leaves out, stand there all the same.
    if person.text[:16].encode() in footer(path):
        found.add("footer")
    return found


def footer(path: str) -> bytes:
    with open(path, "rb") as file:
        content = file.read()
    length = int.from_bytes(content[-8:-4], "little")
    return content[-8 - length : -8]


def named(struct, record) -> dict:
    """A record of PyIceberg's as a dictionary by field names."""
    return {field.name: record[at] for at, field in enumerate(struct.fields)}


def avro(path: str, person: Person) -> set:
    found = set()
    with AvroFile(io.new_input(path)) as file:
        # The schema stands there, with what columns say of themselves.
        if person.is_in(file.header.meta):
            found.add("metadata")
        is_manifest = "partition-spec" in file.header.meta
        for record in file:
            found |= entry(file, record, person) if is_manifest else listed(file, record, person)
    return found


def entry(file: AvroFile, record, person: Person) -> set:
    """Where an entry of a manifest holds the person, deleted or not."""
    data_type = file.schema.find_field(2).field_type
    data = named(data_type, named(file.schema, record)["data_file"])
    columns = columns_of(file.header.meta["schema"])
    found = set()
    if person.is_in_path(data["file_path"]):
        found.add("path")
    spec = json.loads(file.header.meta["partition-spec"])
    partition = [] if data["partition"] is None else [data["partition"][at] for at in range(len(spec))]
    for field, value in zip(spec, partition):
        column = columns.find_column_name(field["source-id"])
        if field["transform"] == "identity" and person.is_value(column, value):
            found.add("partition")
    for bounds in ("lower_bounds", "upper_bounds"):
        for id, value in (data.get(bounds) or {}).items():
            name = columns.find_column_name(id)
            # Columns of delete files are in no schema of the table.
            bound = value if name is None else from_bytes(columns.find_type(id), value)
            if person.is_value(name, bound) or (isinstance(bound, str) and person.is_cut_to(bound)):
                found.add("bound")
    return found


def columns_of(text: str) -> Schema:
    """The schema of a manifest, without columns of the one type that PyIceberg does not know; it keeps no bounds of them."""
    schema = json.loads(text)
    known = [field for field in schema["fields"] if field["type"] != "variant"]
    return Schema.model_validate({**schema, "fields": known})


def listed(file: AvroFile, record, person: Person) -> set:
    """Where an entry of a manifest list holds the person: bounds of partition values are kept whole."""
    values = named(file.schema, record)
    id = person.id.to_bytes(8, "little")
    for summary in values.get("partitions") or ():
        if any(bound is not None and (bound == id or person.is_in(bound)) for bound in list(summary._data)):
            return {"partition"}
    return set()


def puffin(path: str, person: Person) -> set:
    with open(path, "rb") as file:
        content = PuffinFile(file.read())
    for blob in content.footer.blobs:
        if blob.type != "apache-datasketches-theta-v1":
            continue
        kept = datasketches.compact_theta_sketch.deserialize(content.get_blob_payload(blob))
        for value in (person.id, person.text):
            one = datasketches.update_theta_sketch()
            one.update(value)
            both = datasketches.theta_intersection()
            both.update(kept)
            both.update(one)
            if both.get_result().get_estimate() > 0:
                return {"statistics"}
    return set()


def document(content: bytes, person: Person) -> set:
    return {"metadata"} if person.text.encode() in content else set()


def kinds(path: str, person: Person) -> set:
    with open(path, "rb") as file:
        content = file.read()
    if content[:2] == b"\x1f\x8b":
        content = gzip.decompress(content)
    if content[:4] == b"PAR1":
        return parquet(path, person)
    if content[:4] == b"Obj\x01":
        return avro(path, person)
    if content[:4] == b"PFA1":
        return puffin(path, person)
    return document(content, person)


def leftovers(files: list, id_column: str, id: int, text: str) -> dict:
    """Names of the files that hold the person, by the kind of place."""
    person = Person(id_column, id, text)
    found = {}
    for name, path in files:
        places = kinds(path, person) if path is not None else set()
        if person.is_in_path(name):
            places.add("path")
        for place in places:
            found.setdefault(place, []).append(name)
    return {place: sorted(names) for place, names in sorted(found.items())}
