"""What holds for all tests.

None fails because the machine is busy: examples have no deadline, only tests have one. And Ray takes no
token, whether or not there is one in somebody's home: its processes must agree on that.

Where a test does not say how many, properties are tried on a hundred examples, with
`--hypothesis-profile quick` (`make quick`) on thirty.
"""

import os

from hypothesis import settings

settings.register_profile("moot", deadline=None)
settings.register_profile("quick", deadline=None, max_examples=30)
settings.load_profile("moot")

os.environ["RAY_AUTH_MODE"] = "disabled"
