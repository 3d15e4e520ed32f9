"""The little languages: templates, JSON paths, assertions, thresholds. Mirrors `lib/expr`."""
