"""Bytes on sockets, behind the allow-list. Mirrors `lib/wire`."""
