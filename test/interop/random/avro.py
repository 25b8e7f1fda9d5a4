"""Avro container files on plain Python values: enough for manifests, and independent of every other reader."""

import json
import struct
import zlib

MAGIC = b"Obj\x01"
HEADER = {"type": "map", "values": "bytes"}


def write(schema, records, metadata, sync, codec="deflate"):
    """The bytes of a file with one block of records."""
    entries = {"avro.schema": json.dumps(schema), "avro.codec": codec, **metadata}
    out = [MAGIC]
    encode(HEADER, {key: value.encode() for key, value in entries.items()}, out)
    body = []
    for record in records:
        encode(schema, record, body)
    block = b"".join(body)
    if codec == "deflate":
        compress = zlib.compressobj(6, zlib.DEFLATED, -15)
        block = compress.compress(block) + compress.flush()
    out += [sync, varint(len(records)), varint(len(block)), block, sync]
    return b"".join(out)


def varint(number):
    left = (number << 1) ^ (number >> 63)
    out = bytearray()
    while left > 0x7F:
        out.append(left & 0x7F | 0x80)
        left >>= 7
    out.append(left)
    return bytes(out)


def encode(schema, value, out):
    if isinstance(schema, list):  # always ["null", type] here
        out.append(varint(0 if value is None else 1))
        return None if value is None else encode(schema[1], value, out)
    kind = schema["type"] if isinstance(schema, dict) else schema
    if kind in ("int", "long"):
        out.append(varint(int(value)))
    elif kind in ("string", "bytes"):
        data = value.encode() if kind == "string" else bytes(value)
        out += [varint(len(data)), data]
    elif kind == "boolean":
        out.append(b"\x01" if value else b"\x00")
    elif kind == "fixed":
        out.append(value.to_bytes(schema["size"], "big", signed=True) if isinstance(value, int) else value)
    elif kind in ("array", "map"):
        if value:
            out.append(varint(len(value)))
        for item in value:
            if kind == "map":
                encode("string", item, out)
                encode(schema["values"], value[item], out)
            else:
                encode(schema["items"], item, out)
        out.append(varint(0))
    elif kind == "record":
        for field in schema["fields"]:
            encode(field["type"], value.get(field["name"]), out)
    else:
        raise ValueError(kind)


class Cursor:
    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, count):
        self.at += count
        if self.at > len(self.data):
            raise EOFError
        return self.data[self.at - count : self.at]

    def varint(self):
        left = shift = 0
        while True:
            byte = self.take(1)[0]
            left |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return (left >> 1) ^ -(left & 1)


def read(data):
    """The records of a file, by field id where there is one."""
    cursor = Cursor(data)
    if cursor.take(4) != MAGIC:
        raise ValueError("no Avro")
    header = decode(HEADER, cursor, {})
    sync = cursor.take(16)
    records = []
    while cursor.at < len(data):
        count, block = cursor.varint(), cursor.take(cursor.varint())
        if header["avro.codec"] == b"deflate":
            block = zlib.decompress(block, -15)
        inside = Cursor(block)
        records += [decode(json.loads(header["avro.schema"]), inside, {}) for _ in range(count)]
        if inside.at != len(block) or cursor.take(16) != sync:
            raise ValueError("a block is not as long as it says")
    return records


def decode(schema, cursor, named):
    if isinstance(schema, list):
        return decode(schema[cursor.varint()], cursor, named)
    schema = named.get(schema, schema) if isinstance(schema, str) else schema
    kind = schema["type"] if isinstance(schema, dict) else schema
    if isinstance(kind, (dict, list)):
        return decode(kind, cursor, named)
    if isinstance(schema, dict) and "name" in schema:
        named[schema["name"]] = schema
    if kind == "null":
        return None
    if kind in ("int", "long"):
        return cursor.varint()
    if kind in ("string", "bytes"):
        data = cursor.take(cursor.varint())
        return data.decode() if kind == "string" else data
    if kind == "boolean":
        return cursor.take(1) == b"\x01"
    if kind in ("float", "double"):
        return struct.unpack("<f" if kind == "float" else "<d", cursor.take(4 if kind == "float" else 8))[0]
    if kind == "fixed":
        return cursor.take(schema["size"])
    if kind == "record":
        return {f.get("field-id", f["name"]): decode(f["type"], cursor, named) for f in schema["fields"]}
    items = []
    while (count := cursor.varint()) != 0:
        if count < 0:
            count = -count
            cursor.varint()
        for _ in range(count):
            key = decode("string", cursor, named) if kind == "map" else None
            item = decode(schema["values" if kind == "map" else "items"], cursor, named)
            items.append(item if key is None else (key, item))
    return dict(items) if kind == "map" else items
