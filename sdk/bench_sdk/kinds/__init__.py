"""Action kinds, one a file. Mirrors `lib/protocols`."""
