"""Auth schemes. Mirrors `lib/auth`."""
