#!/bin/bash
# What the official image's entry point does, in short: makes the data folder on first start, with the user, password and
# database of the environment, and runs what is in /docker-entrypoint-initdb.d.
set -eo pipefail

# VAR, or the content of the file that VAR_FILE names.
from_file() {
  local file="${1}_FILE"
  if [ -n "${!file:-}" ]; then export "$1=$(< "${!file}")"; fi
  export "$1=${!1:-${2:-}}"
}

init() {
  from_file POSTGRES_PASSWORD
  from_file POSTGRES_USER postgres
  from_file POSTGRES_DB "$POSTGRES_USER"
  from_file POSTGRES_INITDB_ARGS
  local method=${POSTGRES_HOST_AUTH_METHOD:-scram-sha-256}
  if [ -z "$POSTGRES_PASSWORD" ] && [ "$method" != trust ]; then
    echo >&2 'Error: Database is uninitialized and superuser password is not specified. Set POSTGRES_PASSWORD, or POSTGRES_HOST_AUTH_METHOD=trust.'
    exit 1
  fi
  eval "initdb --username=\"\$POSTGRES_USER\" --pwfile=<(printf '%s\n' \"\$POSTGRES_PASSWORD\") $POSTGRES_INITDB_ARGS"
  printf '\nhost all all all %s\n' "$method" >> "$PGDATA/pg_hba.conf"

  PGUSER=$POSTGRES_USER pg_ctl -D "$PGDATA" -o "-c listen_addresses='' -p 5432" -w start
  local sql=(psql -v ON_ERROR_STOP=1 --username "$POSTGRES_USER" --no-password --no-psqlrc)
  if [ "$POSTGRES_DB" != postgres ]; then
    "${sql[@]}" --dbname postgres --set db="$POSTGRES_DB" <<< 'CREATE DATABASE :"db";'
  fi
  sql+=(--dbname "$POSTGRES_DB")
  local file
  for file in /docker-entrypoint-initdb.d/*; do
    case $file in
      *.sh) if [ -x "$file" ]; then "$file"; else . "$file"; fi ;;
      *.sql) "${sql[@]}" -f "$file" ;;
      *.sql.gz) gunzip -c "$file" | "${sql[@]}" ;;
    esac
  done
  PGUSER=$POSTGRES_USER pg_ctl -D "$PGDATA" -m fast -w stop
  echo 'PostgreSQL init process complete; ready for start up.'
}

if [ "${1:0:1}" = - ]; then set -- postgres "$@"; fi
if [ "$1" = postgres ]; then
  if [ "$(id -u)" = 0 ]; then
    mkdir -p "$PGDATA"
    chmod 700 "$PGDATA" || true
    find "$PGDATA" /var/run/postgresql ! -user postgres -exec chown postgres '{}' +
    exec setpriv --reuid postgres --regid postgres --init-groups "$BASH_SOURCE" "$@"
  fi
  if [ ! -s "$PGDATA/PG_VERSION" ]; then init; fi
fi
exec "$@"
