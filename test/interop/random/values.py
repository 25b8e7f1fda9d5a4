"""
Values of Iceberg's types, in one canonical form: numbers for dates, times and instants (days, microseconds), unscaled numbers for
decimals, bytes for uuids, a dictionary by field id for a struct, a list of pairs for a map.
"""

import datetime as dt
import decimal
import math
import struct
import uuid
from decimal import Decimal

import pyarrow as pa
from pyiceberg import types

decimal.getcontext().prec = 60
DAY = 86_400_000_000
EPOCH = dt.date(1970, 1, 1)
LEAVES = [
    *("boolean", "int", "long", "float", "double", "string", "string", "binary", "uuid"),
    *("date", "time", "timestamp", "timestamptz", "decimal(9, 2)", "decimal(38, 10)"),
]
TEXTS = ["", "a", "Zoë", "ＷＩＤＥ", "𝒳𝒴", "line\nbreak", "quote'\"", "back\\slash", "%41", "\ufeffmark", "\U0010ffff" * 18, "x" * 40]


def digits(kind):
    """Precision and scale of a decimal."""
    precision, scale = kind[8:-1].split(",")
    return int(precision), int(scale)


def iceberg(kind):
    """PyIceberg's type."""
    if kind.startswith("decimal"):
        return types.DecimalType(*digits(kind))
    named = {"int": "Integer", "uuid": "UUID"}.get(kind, kind.capitalize())
    return getattr(types, f"{named}Type")()


def internal(kind, value):
    """The value as PyIceberg's transforms and bounds take it."""
    if kind.startswith("decimal"):
        return Decimal(value).scaleb(-digits(kind)[1])
    return uuid.UUID(bytes=value) if kind == "uuid" else value


def drawn(random, kind, nullable=True, text=None):
    """Any value; with `text`, text columns often hold it."""
    if nullable and random.random() < 0.15:
        return None
    if isinstance(kind, dict):
        if kind["type"] == "struct":
            return {f["id"]: drawn(random, f["type"], not f["required"], text) for f in kind["fields"]}
        if kind["type"] == "list":
            return [drawn(random, kind["element"], True, text) for _ in range(random.choice([0, 1, 3]))]
        keys = dict.fromkeys(drawn(random, kind["key"], False) for _ in range(random.choice([0, 1, 2])))
        return [(key, drawn(random, kind["value"], True, text)) for key in keys]
    if kind == "boolean":
        return random.random() < 0.5
    if kind == "int":
        return random.choice([0, -1, 2**31 - 1, -(2**31) + 20, random.randrange(-1000, 1000)])
    if kind == "long":
        return random.choice([0, -1, 2**63 - 1, -(2**63) + 20, 2**53 + 1, random.randrange(-(10**12), 10**12)])
    if kind in ("float", "double"):
        value = random.choice([0.0, math.nan, math.inf, -math.inf, 1e-40, random.uniform(-1e6, 1e6)])
        return struct.unpack("<f", struct.pack("<f", value))[0] if kind == "float" else value
    if kind == "string":
        return random.choice(TEXTS + ([text] * 8 if text else []))
    if kind == "binary":
        return random.choice([b"", b"\x00\xff", b"\xff" * 20, random.randbytes(random.randrange(30))])
    if kind == "uuid":
        return random.randbytes(16)
    if kind == "date":
        return random.choice([0, -1, -719162, 2932896, random.randrange(15000, 21000)])
    if kind == "time":
        return random.choice([0, DAY - 1, random.randrange(DAY)])
    if kind.startswith("timestamp"):
        return random.choice([0, -1, -62135596800000000, 253402300799999999, random.randrange(2 * 10**15)])
    most = 10 ** digits(kind)[0] - 1
    return random.choice([0, most, -most, random.randrange(-(10**6), 10**6)])


def literal(kind, value):
    """The value as Lethe's predicates write it."""
    if kind == "boolean" or kind in ("int", "long", "float", "double"):
        return {"type": kind, "value": value if kind == "boolean" else str(value)}
    if kind == "string":
        return {"type": "text", "value": value}
    if kind == "uuid":
        return {"type": "uuid", "value": str(uuid.UUID(bytes=value))}
    if kind == "binary":
        return {"type": "binary", "value": value.hex()}
    if kind.startswith("decimal"):
        return {"type": "decimal", "value": f"{internal(kind, value):f}"}
    if kind == "date":
        return {"type": "date", "value": (EPOCH + dt.timedelta(days=value)).isoformat()}
    day, micros = divmod(value, DAY)
    clock = f"{micros // 3600000000:02}:{micros // 60000000 % 60:02}:{micros // 1000000 % 60:02}.{micros % 1000000:06}"
    if kind == "time":
        return {"type": "time", "value": clock}
    zone = "Z" if kind == "timestamptz" else ""
    return {"type": kind, "value": f"{EPOCH + dt.timedelta(days=day)}T{clock}{zone}"}


ARROW = {
    **{"boolean": pa.bool_(), "int": pa.int32(), "long": pa.int64(), "float": pa.float32(), "double": pa.float64()},
    **{"string": pa.string(), "binary": pa.binary(), "uuid": pa.binary(16), "date": pa.date32(), "time": pa.time64("us")},
    **{"timestamp": pa.timestamp("us"), "timestamptz": pa.timestamp("us", tz="UTC")},
}


def arrow_field(name, kind, nullable, field_id):
    metadata = None if field_id is None else {"PARQUET:field_id": str(field_id)}
    return pa.field(name, arrow_type(kind, field_id is not None), nullable, metadata)


def arrow_type(kind, ids=True):
    if isinstance(kind, str):
        return pa.decimal128(*digits(kind)) if kind.startswith("decimal") else ARROW[kind]
    some = lambda field_id: field_id if ids else None
    if kind["type"] == "struct":
        fields = kind["fields"]
        return pa.struct([arrow_field(f["name"], f["type"], not f["required"], some(f["id"])) for f in fields])
    if kind["type"] == "list":
        return pa.list_(arrow_field("element", kind["element"], True, some(kind["element-id"])))
    key = arrow_field("key", kind["key"], False, some(kind["key-id"]))
    return pa.map_(key, arrow_field("value", kind["value"], True, some(kind["value-id"])))


def arrow_array(kind, values, ids=True):
    """Canonical values as an Arrow array of `arrow_type(kind)`."""
    of = arrow_type(kind, ids)
    if isinstance(kind, str):
        if kind == "date":
            return pa.array(values, pa.int32()).cast(of)
        if kind == "time" or kind.startswith("timestamp"):
            return pa.array(values, pa.int64()).view(of)
        if kind.startswith("decimal"):
            return pa.array([None if value is None else internal(kind, value) for value in values], of)
        return pa.array(values, of)
    if kind["type"] == "struct":
        inner = [
            arrow_array(f["type"], [None if value is None else value[f["id"]] for value in values], ids)
            for f in kind["fields"]
        ]
        mask = pa.array([value is None for value in values], pa.bool_())
        return pa.StructArray.from_arrays(inner, fields=list(of), mask=mask)
    flat, offsets = [], []
    for value in values:
        offsets.append(None if value is None else len(flat))
        flat += value or []
    offsets = pa.array([*offsets, len(flat)], pa.int32())
    if kind["type"] == "list":
        return pa.ListArray.from_arrays(offsets, arrow_array(kind["element"], flat, ids), type=of)
    keys = arrow_array(kind["key"], [key for key, _ in flat], ids)
    return pa.MapArray.from_arrays(offsets, keys, arrow_array(kind["value"], [value for _, value in flat], ids), type=of)


def canonical(kind, value):
    """What `to_pylist` gives of a leaf, in the canonical form."""
    if isinstance(value, dt.datetime):
        value = value.replace(tzinfo=None) - dt.datetime(1970, 1, 1)
        return (value.days * 86400 + value.seconds) * 10**6 + value.microseconds
    if isinstance(value, dt.date):
        return (value - EPOCH).days
    if isinstance(value, dt.time):
        return ((value.hour * 60 + value.minute) * 60 + value.second) * 10**6 + value.microsecond
    if isinstance(value, Decimal):
        return int(value.scaleb(digits(kind)[1]))
    return value.bytes if isinstance(value, uuid.UUID) else value


def by_name(kind, value):
    """The same for a value of any type, whose structs have the names that the type has."""
    if value is None or isinstance(kind, str):
        return canonical(kind, value)
    if kind["type"] == "struct":
        return {f["id"]: by_name(f["type"], value[f["name"]]) for f in kind["fields"]}
    if kind["type"] == "list":
        return [by_name(kind["element"], item) for item in value]
    return [(by_name(kind["key"], key), by_name(kind["value"], item)) for key, item in value]
