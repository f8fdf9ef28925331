"""What may go wrong with a report that who asked for it can mend; messages are meant for them."""


class OutError(ValueError):
    """A page that cannot be written where it was asked for."""


class NothingInCommon(ValueError):
    """Two runs that cannot be compared."""
