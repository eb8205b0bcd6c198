"""What is begun again by itself: loops, decorators, helpers, clients, generators."""
