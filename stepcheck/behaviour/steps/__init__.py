"""The bodies of what steps name, followed through the project."""
