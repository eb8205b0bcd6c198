"""Questions over lowered code, and the linking of files."""
