"""Where values come from, and what in them changes."""
