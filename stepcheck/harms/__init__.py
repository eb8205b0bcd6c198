"""Runs the examples of rule pages under faults and tells what harm comes of it.

Only the project's own pages are ever run, never a user's code.
"""
