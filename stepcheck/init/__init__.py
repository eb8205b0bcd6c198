"""What a project gets when it starts with stepcheck: configuration, hooks, and a first table."""
