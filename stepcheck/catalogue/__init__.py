"""What is known of calls, names and frameworks: data, each fact with its source."""
