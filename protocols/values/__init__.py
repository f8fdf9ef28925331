"""Values that explanations are labelled with; `VALUES_48` unless a study brings its own list."""

from importlib.resources import files

from protocols.values.taxonomy import TaxonomyError, read_taxonomy, write_taxonomy
from protocols.values.value import MOST_VALUES, NONE, Value, normal

__all__ = [
    "MOST_VALUES",
    "NONE",
    "VALUES_48",
    "TaxonomyError",
    "Value",
    "normal",
    "read_taxonomy",
    "write_taxonomy",
]

VALUES_48 = read_taxonomy(files(__name__).joinpath("values_48.csv").read_text("utf-8"), "values_48.csv")
"""The 48 values of the paper on interaction protocols, with its groups; the definitions are our own."""
