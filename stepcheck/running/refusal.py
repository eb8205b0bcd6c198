"""The one error of this room."""


class CannotRun(Exception):
    """What was asked cannot be done; the message says why, and what to do about it. One line each."""
