"""Rows as text that does not depend on who read them; `canonical.ts` says how each value is written."""

import json
from datetime import date, datetime, time, timezone
from decimal import Decimal
from uuid import UUID


def canonical(value):
    if value is None or isinstance(value, (bool, str)):
        return value
    if isinstance(value, (int, UUID)):
        return str(value)
    if isinstance(value, float):
        return repr(value)
    if isinstance(value, Decimal):
        return format(value, "f")
    if isinstance(value, datetime):
        utc = value if value.tzinfo is None else value.astimezone(timezone.utc)
        return utc.strftime("%Y-%m-%dT%H:%M:%S.%f")
    if isinstance(value, time):
        return value.strftime("%H:%M:%S.%f")
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, (bytes, bytearray)):
        return bytes(value).hex()
    if isinstance(value, dict):
        return sorted([canonical(key), canonical(one)] for key, one in value.items())
    if isinstance(value, (list, tuple)):
        return [canonical(one) for one in value]
    raise TypeError(f"no canonical form for {type(value)}")


def text(row) -> str:
    return json.dumps(canonical(list(row)), ensure_ascii=False, separators=(",", ":"))
