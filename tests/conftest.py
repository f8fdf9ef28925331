"""What holds for all tests.

None fails because the machine is busy: examples have no deadline, only tests have one. And Ray takes no
token, whether or not there is one in somebody's home: its processes must agree on that.
"""

import os

from hypothesis import settings

settings.register_profile("moot", deadline=None)
settings.load_profile("moot")

os.environ["RAY_AUTH_MODE"] = "disabled"
