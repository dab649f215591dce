# The service in a small image. Keep games on a volume, or in a Postgres of your own:
#   docker run -p 8000:8000 -v holmgang:/data holmgang
#   docker run -p 8000:8000 -e DATABASE_URL=postgresql://... holmgang
# Without either it refuses to start, because its games would go away with it. It needs nothing to be writable but that
# volume and /tmp: docker run --read-only --tmpfs /tmp --cap-drop ALL --security-opt no-new-privileges ...

FROM python:3.13-slim AS docs
WORKDIR /src
COPY locks/docs.lock locks/
RUN pip install --no-cache-dir --require-hashes -r locks/docs.lock
COPY . .
RUN python docs/build.py

FROM python:3.13-slim AS build
WORKDIR /src
COPY locks/server.lock locks/
RUN python -m venv /opt/holmgang \
 && /opt/holmgang/bin/pip install --no-cache-dir --require-hashes -r locks/server.lock
COPY . .
COPY --from=docs /src/build/docs service/holmgang/web/site
# What pip compiled stays: on a read-only root it could not be kept later, and every process would compile it anew.
RUN /opt/holmgang/bin/pip install --no-cache-dir --no-deps . \
 && /opt/holmgang/bin/pip uninstall --yes pip

FROM python:3.13-slim
RUN useradd --system --uid 10001 --home-dir /data --no-create-home holmgang \
 && install --directory --owner=holmgang --mode=0700 /data
COPY --from=build /opt/holmgang /opt/holmgang
ENV PATH=/opt/holmgang/bin:$PATH PYTHONUNBUFFERED=1 HOST=0.0.0.0 PORT=8000 DATA_DIR=/data/games IN_CONTAINER=1
USER 10001
WORKDIR /data
EXPOSE 8000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 CMD ["python", "-c", \
  "import os, urllib.request as r; r.urlopen(f'http://127.0.0.1:{os.environ[\"PORT\"]}/readyz', timeout=4)"]
CMD ["holmgang", "serve"]
