#!/bin/sh
# Make the passwords and keys that docker-compose.yml mounts: random, once, in ./secrets (or the folder named). What is there is kept.
set -eu

folder=${1:-secrets}
mkdir -p "$folder"
chmod 700 "$folder"  # nobody else looks in; the files themselves must be readable by the users inside the containers
make() {
    [ -s "$folder/$1" ] || eval "$2" >"$folder/$1"
    chmod 444 "$folder/$1"
}
for name in postgres_password redis_password secret_key metrics_token grafana_password; do
    make "$name" "head -c 32 /dev/urandom | base64 | tr -d '\n=+/'"
done
make inputs_secret "head -c 32 /dev/urandom"
