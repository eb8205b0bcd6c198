"""What functions do to the outside, and how it comes that they do it again: facts made from lowered code."""
