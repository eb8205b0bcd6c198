"""How long properties are tried: no time limit for one example, as machines are slow at times."""

import os

from hypothesis import settings

settings.register_profile("here", deadline=None, max_examples=50)
settings.register_profile("everywhere", deadline=None)
settings.load_profile("everywhere" if os.environ.get("CI") else "here")
