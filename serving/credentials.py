"""Names under which keys are given. What stands there in a file is refused, and never repeated."""

from __future__ import annotations

import re

NAMES = re.compile(
    r"api_?key|(access|auth|bearer|id|refresh|session)_?token|authorization|bearer|credential|password|passwd"
    r"|secret|cookie|(extra_)?headers|extra_(body|query)|private_?key|^(key|token|auth)$",
    re.I,
)


def check_no_credential(values: object) -> None:
    """Raises `ValueError` for a name in `values`, at any depth of JSON, under which a key may be given."""
    for name in values if isinstance(values, dict) else ():
        if NAMES.search(str(name).replace("-", "_")):
            raise ValueError(
                f"'{name}' looks like a key or a header (what it holds is not repeated here); expected the"
                " key in an environment variable that the block's own 'key' names, and no headers"
            )
    inside = values.values() if isinstance(values, dict) else values if isinstance(values, list) else ()
    for each in inside:
        check_no_credential(each)
