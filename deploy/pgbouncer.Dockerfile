# PgBouncer from Debian, which reads its password from the environment once.
FROM debian:13-slim
RUN apt-get update \
 && apt-get install --yes --no-install-recommends pgbouncer=1.* \
 && rm -rf /var/lib/apt/lists/*
COPY pgbouncer.ini /etc/pgbouncer/pgbouncer.ini
USER 10002
EXPOSE 6432
STOPSIGNAL SIGINT
CMD ["/bin/sh", "-c", "umask 077 && printf '\"holmgang\" \"%s\"\\n' \"$POSTGRES_PASSWORD\" > /tmp/userlist.txt && exec pgbouncer /etc/pgbouncer/pgbouncer.ini"]
