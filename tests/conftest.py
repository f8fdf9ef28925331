"""No test fails because the machine is busy: examples have no deadline, only tests have one."""

from hypothesis import settings

settings.register_profile("moot", deadline=None)
settings.load_profile("moot")
