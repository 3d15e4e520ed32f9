# The image of a pod of `bench kubernetes`, and of any machine that runs containers.
# Build the program first: `deno task compile` writes dist/.
FROM docker.io/library/debian:bookworm-slim
COPY --chmod=0755 dist/bench /usr/local/bin/bench
USER 65532:65532
# A program that was packed unpacks itself into this folder, with the image's shell, tar and gzip.
ENV BENCH_CACHE=/tmp/bench BENCH_STORE=/runs
ENTRYPOINT ["/usr/local/bin/bench"]
