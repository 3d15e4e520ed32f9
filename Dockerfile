# The image of a pod of `bench kubernetes`, and of any machine that runs containers.
# Build the program first: `deno task compile` writes dist/.
FROM gcr.io/distroless/cc-debian12:nonroot
COPY --chmod=0755 dist/bench /usr/local/bin/bench
USER 65532:65532
# The program unpacks itself into the first folder that it can write to.
ENV BENCH_CACHE=/tmp/bench BENCH_STORE=/runs
ENTRYPOINT ["/usr/local/bin/bench"]
