"""What all measures share: running both sides, keeping results, writing the page. Only Python's standard library."""
