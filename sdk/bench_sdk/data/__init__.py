"""Fixture files. Mirrors `lib/data`."""
