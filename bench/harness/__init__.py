"""Code that all measures share: it runs both sides, keeps the results and writes the page. Needs only Python's standard library."""
