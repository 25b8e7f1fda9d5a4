"""The people whose rows the tables hold."""

import uuid

PEOPLE = range(1, 21)


def person_id(kind, person):
    """The id of a person; nobody has none."""
    if person is None:
        return None
    if kind == "string":
        return f"U{person:06}" + ("-and-more-than-a-bound-keeps" if person % 3 else "")
    if kind == "uuid":
        return uuid.UUID(int=person * 0x9E3779B97F4A7C15F39CC0605CEDC834 % 2**128).bytes
    return person * 1000003 + 2**53 if kind == "long" else person * 7 - 50


def mark(person):
    """Text that only this person's rows hold."""
    return f"P{person:06}qz"
