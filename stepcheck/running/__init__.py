"""A table run from its file on the reference executor, and a ledger's contents shown.

The callables of the file are imported and called: here, and nowhere else in the command line.
"""
