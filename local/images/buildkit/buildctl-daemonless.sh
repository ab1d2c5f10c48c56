#!/bin/sh
# buildctl with a buildkitd of its own for the time of the command, as in BuildKit's own images.
# Environment: BUILDKITD_FLAGS; as any user but root the daemon runs rootless.
set -eu
work=$(mktemp -d)
trap 'kill "$(cat "$work/pid")" 2> /dev/null; wait "$(cat "$work/pid")" 2> /dev/null || true; rm -rf "$work"' EXIT
socket=unix:///run/buildkit/buildkitd.sock
launcher=
if [ "$(id -u)" != 0 ]; then
  socket=unix://${XDG_RUNTIME_DIR:?}/buildkit/buildkitd.sock
  launcher=rootlesskit
fi
# Flags are separated by spaces, as in the original.
# shellcheck disable=SC2086
$launcher buildkitd --addr="$socket" ${BUILDKITD_FLAGS:-} > "$work/log" 2>&1 &
echo $! > "$work/pid"
tries=0
until buildctl --addr="$socket" debug workers > /dev/null 2>&1; do
  tries=$((tries + 1))
  if [ "$tries" -gt 300 ] || ! kill -0 "$(cat "$work/pid")" 2> /dev/null; then
    echo 'buildkitd did not start:' >&2
    cat "$work/log" >&2
    exit 1
  fi
  sleep 0.1
done
buildctl --addr="$socket" "$@"
