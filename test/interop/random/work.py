"""What Lethe is asked to do with a table, and what must come of it: three-valued predicates, evaluated row by row."""

from people import PEOPLE, mark, person_id
from schema import KEY, PERSON
from values import drawn, literal


def truth(where, row, columns):
    """True, False or None (unknown)."""
    kind = where["kind"]
    if kind in ("and", "or"):
        parts = {truth(part, row, columns) for part in where["of"]}
        decisive = kind == "or"
        return decisive if decisive in parts else None if None in parts else not decisive
    if kind == "not":
        inner = truth(where["of"], row, columns)
        return None if inner is None else not inner
    column = columns[where["column"]]
    value = row[column["id"]]
    if kind == "is-null":
        return value is None
    if value is None:
        return None
    comparable = (lambda one: one.encode()) if column["type"] == "string" else (lambda one: one)
    value, others = comparable(value), [comparable(one) for one in where["raw"]]
    if kind == "in":
        return value in others
    other = others[0]
    results = {"=": value == other, "<>": value != other, "<": value < other}
    return {**results, "<=": value <= other, ">": value > other, ">=": value >= other}[where["op"]]


def one_of(column, values):
    literals = [literal(column["type"], value) for value in values]
    return {"kind": "in", "column": column["name"], "values": literals, "raw": values}


def condition(random, columns, rows, depth=0):
    """Any predicate on columns with one value a row; floats are left out, whose NaN has no place in Parquet's statistics."""
    if depth < 2 and random.random() < 0.3:
        return {"kind": random.choice(["and", "or"]), "of": [condition(random, columns, rows, depth + 1) for _ in "12"]}
    if depth < 2 and random.random() < 0.1:
        return {"kind": "not", "of": condition(random, columns, rows, depth + 1)}
    column = random.choice([c for c in columns if isinstance(c["type"], str) and c["type"] not in ("float", "double")])
    if random.random() < 0.15:
        return {"kind": "is-null", "column": column["name"]}
    held = [row[column["id"]] for row in rows if row[column["id"]] is not None]
    values = [random.choice(held) if held and random.random() < 0.8 else drawn(random, column["type"], False) for _ in "123"]
    if random.random() < 0.4:
        return one_of(column, values)
    op = random.choice(["=", "<>", "<", "<=", ">", ">="])
    value = literal(column["type"], values[0])
    return {"kind": "compare", "column": column["name"], "op": op, "value": value, "raw": values[:1]}


def public(document):
    """Without what only the truth needs."""
    if isinstance(document, dict):
        return {key: public(value) for key, value in document.items() if key not in ("raw", "expect")}
    return [public(item) for item in document] if isinstance(document, list) else document


class Plan:
    """Steps for one table. `rows` is what it must hold after them."""

    def __init__(self, random, table):
        self.random, self.table = random, table
        self.rows = table.rows()
        self.columns = {column["name"]: column for column in table.columns}
        self.steps = []
        self.gone = random.sample(PEOPLE, random.choice([1, 1, 3]))
        self.read()
        for _ in range(random.choice([0, 1, 2])):
            random.choice([self.delete, self.delete, self.clear, self.maintain, self.maintain])()
        self.read()
        self.erase()
        self.read()

    def step(self, do, expect=None, **options):
        self.steps.append({"do": do, "table": self.table.name, **options, "expect": expect})

    def read(self):
        self.step("read", list(self.rows))

    def matching(self, where):
        return [row for row in self.rows if truth(where, row, self.columns) is True]

    def remove(self, where, **options):
        """Counts the rows, deletes them, and counts again."""
        matching = self.matching(where)
        self.step("count", len(matching), where=where)
        self.step("change", len(matching), work={"delete": where, **options})
        self.step("count", 0, where=where)
        self.rows = [row for row in self.rows if row not in matching]

    def people(self, people):
        column = self.table.column(PERSON)
        return one_of(column, [person_id(self.table.person_type, person) for person in people])

    def delete(self):
        kind = self.random.choice(["any", "thousand", "nobody"])
        if kind == "any":
            self.remove(condition(self.random, self.table.columns, self.rows))
        elif kind == "thousand":
            self.remove(self.people([*self.random.sample(PEOPLE, 3), *range(1000, 2000)]), physically=True)
        else:
            self.remove({"kind": "is-null", "column": self.table.column(PERSON)["name"]})

    def clear(self):
        fixed = self.table.structural() | {KEY, PERSON}
        column = self.random.choice([column for column in self.table.columns if column["id"] not in fixed] or [None])
        if column is None:
            return
        where = self.people(self.random.sample(PEOPLE, 3))
        columns = [{"column": column["name"], "with": {"kind": "null"}}]
        self.step("change", 0, work={"clear": {"where": where, "columns": columns}})
        matching = self.matching(where)
        self.rows = [{**row, column["id"]: None} if row in matching else row for row in self.rows]

    def maintain(self):
        self.step(self.random.choice(["scrub", "expire", "sweep"]))

    def erase(self):
        """What an erasure does of people; nothing of them may be left."""
        self.remove(self.people(self.gone), physically=True)
        for do in ["scrub", "expire", "sweep"]:
            self.step(do)

    def marks(self):
        """Bytes that only rows of the erased people held."""
        texts = [mark(person) for person in self.gone]
        if self.table.person_type == "string":
            texts += [person_id("string", person)[:16] for person in self.gone]
        return [text.encode() for text in texts]
