"""What is known of names, of words for effect classes and of lengths of time: data, each fact with its source."""
