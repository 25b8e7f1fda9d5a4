"""The schema and the partition specs of a table, and how they change."""

import uuid
from copy import deepcopy

from pyiceberg.transforms import parse_transform

from values import LEAVES, digits, iceberg, internal

KEY, PERSON, EMAIL = 1, 2, 3
PERSON_TYPES = ["int", "long", "string", "uuid", "decimal(9, 2)"]
NAMES = [
    *("größe", "a b", "dotted.name", "select", 'quo"te', "sing'le", "back\\slash", "😀", "a/b", "k=v", "%20"),
    *("file", "filename", "file_row_number", "pos", "key", "element"),
]


class Schema:
    """Of a table that is made by `random`. Column ids 1 to 3 are the row's key, the person's id and e-mail."""

    def __init__(self, random, version):
        self.random, self.version = random, version
        self.person_type = random.choice(PERSON_TYPES)
        self.by_name = random.random() < 0.15  # data files without field ids
        self.columns, self.last_id = [], 0
        for column in [("rk", "long"), ("person.id", self.person_type), ('e-mail "x".y', "string")]:
            self.add_column(*column)
        for column in random.sample(self.free_names(), 4):
            self.add_column(column, self.new_type())
        random.shuffle(self.columns)
        self.schemas = [self.columns]
        self.specs, self.last_partition = [[]], 999
        if random.random() < 0.6:
            self.add_partition(self.specs[0])
        self.properties = {}
        for column in self.columns:
            if random.random() < 0.3:
                self.properties[mode_of(column)] = random.choice(["none", "counts", "truncate(5)", "full"])

    def new_id(self):
        self.last_id += 1
        return self.last_id

    def add_column(self, name, kind):
        self.columns.append({"id": self.new_id(), "name": name, "type": kind, "required": False})

    def free_names(self):
        """In files without field ids one name is refused: DuckDB takes it for its own."""
        taken = {column["name"] for column in self.columns} | ({"file_row_number"} if self.by_name else set())
        return [name for name in NAMES if name not in taken]

    def new_type(self, depth=0):
        random = self.random
        if depth == 2 or random.random() < 0.75:
            return random.choice(LEAVES)
        if random.random() < 0.5:
            fields = [
                {"id": self.new_id(), "name": name, "type": self.new_type(depth + 1), "required": False}
                for name in random.sample(NAMES, 2)
            ]
            return {"type": "struct", "fields": fields}
        if random.random() < 0.5:
            element = {"element-id": self.new_id(), "element": self.new_type(depth + 1)}
            return {"type": "list", **element, "element-required": False}
        ids = {"key-id": self.new_id(), "value-id": self.new_id(), "value-required": False}
        return {"type": "map", "key": random.choice(["string", "int"]), "value": self.new_type(depth + 1), **ids}

    def column(self, column_id):
        return next(column for column in self.columns if column["id"] == column_id)

    def add_partition(self, spec):
        choices = []
        for column in self.columns:
            kind = column["type"]
            if column["id"] == KEY or not isinstance(kind, str) or kind in ("float", "double"):
                continue
            transforms = ["identity"] if kind == "boolean" else ["identity", "bucket[4]", "void"]
            if kind in ("int", "long", "string", "binary") or kind.startswith("decimal"):
                transforms.append("truncate[10]")
            if kind == "date" or kind.startswith("timestamp"):
                transforms += ["year", "month", "day"]
            if kind.startswith("timestamp"):
                transforms.append("hour")
            # What leads to a person comes more often.
            weight = 3 if column["id"] in (PERSON, EMAIL) else 1
            choices += [(column["id"], transform) for transform in transforms] * weight
        source, transform = self.random.choice(choices)
        self.last_partition += 1
        name = f"p{self.last_partition}"
        spec.append({"source-id": source, "field-id": self.last_partition, "name": name, "transform": transform})

    def structural(self):
        """Columns that a spec reads."""
        return {field["source-id"] for spec in self.specs for field in spec}

    def evolve(self):
        """Changes the schema or the partitioning in one way."""
        random = self.random
        columns = self.columns = deepcopy(self.columns)
        free = self.free_names()
        how = random.choice(["add", "rename", "drop", "reorder", "promote", "inside", "partition", "partition"])
        if how == "add":
            self.add_column(random.choice(free), self.new_type())
        elif how == "rename":
            column = random.choice(columns)
            mode = self.properties.pop(mode_of(column), None)
            column["name"] = random.choice(free)
            if mode is not None:
                self.properties[mode_of(column)] = mode
        elif how == "drop":
            loose = [c for c in columns if c["id"] not in self.structural() | {KEY, PERSON, EMAIL}]
            if loose:
                columns.remove(random.choice(loose))
        elif how == "reorder":
            random.shuffle(columns)
        elif how == "promote":
            for column in columns:
                wider = {"int": "long", "float": "double", "decimal(9, 2)": "decimal(14, 2)"}
                if isinstance(column["type"], str):
                    column["type"] = wider.get(column["type"], column["type"])
        elif how == "inside":
            for column in columns:
                if isinstance(column["type"], dict) and column["type"]["type"] == "struct":
                    fields = column["type"]["fields"]
                    fields.pop(0)
                    fields.append({"id": self.new_id(), "name": "new", "type": "long", "required": False})
                    fields[0]["name"] = "other"
        else:
            spec = deepcopy(self.specs[-1])
            if len(spec) < 2:
                self.add_partition(spec)
            elif self.version == 1:
                spec[0]["transform"] = "void"
            else:
                spec.pop(0)
            self.specs.append(spec)
        if columns != self.schemas[-1]:
            self.schemas.append(columns)

    def partition_of(self, row, spec):
        values = []
        for field in spec:
            kind = self.column(field["source-id"])["type"]
            value = row[field["source-id"]]
            if value is not None:
                value = parse_transform(field["transform"]).transform(iceberg(kind))(internal(kind, value))
            if kind.startswith("decimal") and value is not None and not field["transform"].startswith("bucket"):
                value = int(value.scaleb(digits(kind)[1]))
            values.append(value.bytes if isinstance(value, uuid.UUID) else value)
        return tuple(values)

    def partition_type(self, field):
        transform = field["transform"].split("[")[0]
        if transform in ("bucket", "year", "month", "hour"):
            return "int"
        return "date" if transform == "day" else self.column(field["source-id"])["type"]


def mode_of(column):
    """The property that says what manifests keep of a column."""
    return f"write.metadata.metrics.column.{column['name']}"
