#!/bin/sh
set -e
# As in the official image: options and files are redis-server's; root gives way to the user redis.
if [ "${1#-}" != "$1" ] || [ "${1%.conf}" != "$1" ]; then
  set -- redis-server "$@"
fi
if [ "$1" = redis-server ]; then
  # The official image is compiled without protected mode; reachable from other pods, as there.
  case " $* " in *" --protected-mode "*) ;; *) set -- "$@" --protected-mode no ;; esac
  if [ "$(id -u)" = 0 ]; then
    find . ! -user redis -exec chown redis '{}' + || true
    exec setpriv --reuid redis --regid redis --init-groups "$@"
  fi
fi
exec "$@"
