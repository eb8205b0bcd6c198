"""What ends a simulated process from outside."""


class Interrupted(BaseException):
    """A cancellation or an interruption reaches the process in the middle of a call."""
