# The service with games of packages. The folder that it is built from holds their wheels:
#   docker build -t holmgang . && docker build -t holmgang-games -f deploy/games.Dockerfile WHEELS
ARG HOLMGANG=holmgang

FROM python:3.13-slim AS games
COPY *.whl /wheels/
RUN python -m pip install --no-cache-dir --no-index --no-deps --target /games /wheels/*.whl

# hadolint ignore=DL3006
FROM ${HOLMGANG}
COPY --from=games /games /games
ENV PYTHONPATH=/games
USER 10001
