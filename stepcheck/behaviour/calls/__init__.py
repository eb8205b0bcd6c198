"""What each call is for, and who runs the functions that make them."""
