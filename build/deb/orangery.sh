#!/bin/sh
# The command line of the installed service; its data directory is that of the service unless another one is named.
export ORANGERY_DATA_DIR="${ORANGERY_DATA_DIR:-/var/lib/orangery}"
lib=$(dirname "$(readlink -f "$0")")/../lib/orangery
# What root makes in the data directory the service could not open.
if [ "$(id -u)" = 0 ] && [ "$ORANGERY_DATA_DIR" = /var/lib/orangery ] && id orangery >/dev/null 2>&1; then
  exec runuser -u orangery -- "$lib/node" "$lib/build/orangery.js" "$@"
fi
exec "$lib/node" "$lib/build/orangery.js" "$@"
