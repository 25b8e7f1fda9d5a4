"""The Avro schemas of manifests and manifest lists, versions 1 to 3 (specification, Manifests and Snapshots)."""

from values import digits


def field(name, kind, field_id, required=False):
    if required:
        return {"name": name, "type": kind, "field-id": field_id}
    return {"name": name, "type": ["null", kind], "default": None, "field-id": field_id}


def int_map(name, field_id, key_id, kind, value_id):
    """A map with integer keys, which Avro holds as a list."""
    entry = [field("key", "int", key_id, True), field("value", kind, value_id, True)]
    items = {"type": "record", "name": f"k{key_id}_v{value_id}", "fields": entry}
    return field(name, {"type": "array", "logicalType": "map", "items": items}, field_id)


def partition_type(kind, field_id):
    plain = {"int": "int", "long": "long", "string": "string", "boolean": "boolean", "binary": "bytes"}
    if kind in plain:
        return plain[kind]
    if kind == "date":
        return {"type": "int", "logicalType": "date"}
    if kind == "time":
        return {"type": "long", "logicalType": "time-micros"}
    if kind.startswith("timestamp"):
        return {"type": "long", "logicalType": "timestamp-micros", "adjust-to-utc": kind == "timestamptz"}
    if kind == "uuid":
        return {"type": "fixed", "name": f"uuid_{field_id}", "size": 16, "logicalType": "uuid"}
    precision, scale = digits(kind)
    size = next(size for size in range(1, 17) if 2 ** (8 * size - 1) >= 10**precision)
    decimal = {"logicalType": "decimal", "precision": precision, "scale": scale}
    return {"type": "fixed", "name": f"decimal_{field_id}", "size": size, **decimal}


def manifest(version, partition):
    """`partition` lists field ids and types of the values."""
    values = [field(f"p{field_id}", partition_type(kind, field_id), field_id) for field_id, kind in partition]
    file = [
        *([field("content", "int", 134, True)] if version > 1 else []),
        field("file_path", "string", 100, True),
        field("file_format", "string", 101, True),
        field("partition", {"type": "record", "name": "r102", "fields": values}, 102, True),
        field("record_count", "long", 103, True),
        field("file_size_in_bytes", "long", 104, True),
        *([field("block_size_in_bytes", "long", 105, True)] if version == 1 else []),
        int_map("value_counts", 109, 119, "long", 120),
        int_map("null_value_counts", 110, 121, "long", 122),
        int_map("nan_value_counts", 137, 138, "long", 139),
        int_map("lower_bounds", 125, 126, "bytes", 127),
        int_map("upper_bounds", 128, 129, "bytes", 130),
        *([field("equality_ids", {"type": "array", "items": "int", "element-id": 136}, 135)] if version > 1 else []),
        *([field("first_row_id", "long", 142)] if version > 2 else []),
        *([field("referenced_data_file", "string", 143)] if version > 1 else []),
        *([field("content_offset", "long", 144), field("content_size_in_bytes", "long", 145)] if version > 2 else []),
    ]
    entry = [
        field("status", "int", 0, True),
        field("snapshot_id", "long", 1, version == 1),
        *([field("sequence_number", "long", 3), field("file_sequence_number", "long", 4)] if version > 1 else []),
        field("data_file", {"type": "record", "name": "r2", "fields": file}, 2, True),
    ]
    return {"type": "record", "name": "manifest_entry", "fields": entry}


def manifest_list(version):
    counts = ["added_files", "existing_files", "deleted_files"]
    rows = ["added_rows", "existing_rows", "deleted_rows"]
    fields = [
        field("manifest_path", "string", 500, True),
        field("manifest_length", "long", 501, True),
        field("partition_spec_id", "int", 502, True),
        *([field("content", "int", 517, True), field("sequence_number", "long", 515, True)] if version > 1 else []),
        *([field("min_sequence_number", "long", 516, True)] if version > 1 else []),
        field("added_snapshot_id", "long", 503, True),
        *(field(f"{name}_count", "int", 504 + at, version > 1) for at, name in enumerate(counts)),
        *(field(f"{name}_count", "long", 512 + at, version > 1) for at, name in enumerate(rows)),
        *([field("first_row_id", "long", 520)] if version > 2 else []),
    ]
    return {"type": "record", "name": "manifest_file", "fields": fields}
