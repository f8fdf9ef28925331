"""Reading model replies: see `read`."""

from protocols.reading.reply import Reading, read

__all__ = ["Reading", "read"]
