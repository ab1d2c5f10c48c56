#!/bin/sh
# /etc/nginx/templates/NAME.template becomes /etc/nginx/conf.d/NAME, with the values of variables that are set.
set -e
from=${NGINX_ENVSUBST_TEMPLATE_DIR:-/etc/nginx/templates}
suffix=${NGINX_ENVSUBST_TEMPLATE_SUFFIX:-.template}
to=${NGINX_ENVSUBST_OUTPUT_DIR:-/etc/nginx/conf.d}
[ -d "$from" ] || exit 0
names=$(env | cut -d= -f1 | grep -E "${NGINX_ENVSUBST_FILTER:-.}" | sed 's/.*/${&}/' | tr '\n' ' ')
find "$from" -follow -type f -name "*$suffix" | while read -r template; do
  name=${template#"$from"/}
  output=$to/${name%"$suffix"}
  mkdir -p "$(dirname "$output")"
  envsubst "$names" < "$template" > "$output"
done
