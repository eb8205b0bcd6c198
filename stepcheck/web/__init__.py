"""What the HTML pages of this package share: their frame, their one style sheet, and code with marks in it."""
