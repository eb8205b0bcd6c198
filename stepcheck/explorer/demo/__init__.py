"""A rule's harm, shown: the shortest schedule that does it, and the good twin under the same schedule."""
