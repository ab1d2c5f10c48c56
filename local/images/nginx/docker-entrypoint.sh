#!/bin/sh
set -e
if [ "$1" = nginx ] || [ "$1" = nginx-debug ]; then
  for script in /docker-entrypoint.d/*.sh; do
    if [ -x "$script" ]; then "$script"; fi
  done
fi
exec "$@"
