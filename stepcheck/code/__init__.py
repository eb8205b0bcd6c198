"""Python source as plain data, one file at a time."""
