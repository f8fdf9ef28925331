"""The price of a remote model: its block's own, else that of a small dated table; else it is unknown."""

from __future__ import annotations

from datetime import date
from functools import cache
from importlib.resources import files
from urllib.parse import urlsplit

import yaml

from serving.price import Price
from serving.remote_block import RemoteBlock


class ListedPrice(Price):
    """A price of `model` at the endpoint of `host`, as the page `source` named it on that `date`."""

    model: str
    host: str
    date: date
    source: str


@cache
def listed_prices() -> tuple[ListedPrice, ...]:
    """The table."""
    rows = yaml.safe_load(files("serving").joinpath("prices.yaml").read_text("utf-8"))
    return tuple(map(ListedPrice.model_validate, rows))


def price_of(block: RemoteBlock) -> Price | None:
    """What the block's tokens cost; None where nobody has said. A table row must match host and model."""
    if block.price is not None:
        return block.price
    place = block.model, urlsplit(block.base_url).hostname
    return next((row for row in listed_prices() if (row.model, row.host) == place), None)


def priced(block: RemoteBlock) -> RemoteBlock:
    """The block with its price, where there is one."""
    return block.model_copy(update={"price": price_of(block)})
