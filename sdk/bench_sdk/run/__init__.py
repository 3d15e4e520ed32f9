"""Running a flow: in process, or through the `bench` command. Mirrors `lib/engine`."""
