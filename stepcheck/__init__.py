"""stepcheck: may this step be tried again?"""

__version__ = "0.1.0"
