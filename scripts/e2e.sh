#!/bin/sh
# The whole compose file in containers: up without privileges, an account, a right and a wrong submission, a worker killed in mid-verdict,
# nothing lost; Prometheus asks and knows its rules; backup and restore by the lines of docs/running.md; torn down.
# Needs root on Debian. No image registry is used: stand-ins for the base images are made from Debian packages (not for Grafana, which Debian
# does not have), and the engine is started here with its own socket and folder, so that nothing of the machine's own engine is touched.
set -eu

VENV=${VENV:-.venv}
root=$(cd "$(dirname "$0")/.." && pwd)
venv=$(cd "$root" && cd "$VENV" && pwd)
work=$(mktemp -d -t judge-e2e.XXXXXX)
cache=${E2E_CACHE:-$work/cache}  # a folder that is kept makes the next run quick: packages, wheels, layers of images
PORT=${PORT:-18000}
within=python3,python3-venv,bubblewrap,libseccomp2,postgresql,redis-server,prometheus,ca-certificates
root_image=judge-root:$(echo "$within" | cksum | cut -d' ' -f1)
export DOCKER_HOST="unix://$work/docker.sock" DOCKER_BUILDKIT=0 COMPOSE_PROJECT_NAME=judge-e2e JUDGE_PORT="$PORT" JUDGE_WORKER_MEMORY=3g
unset DOCKER_CONTEXT

say() { printf 'e2e: %s\n' "$*"; }
fail() { say "FAILED: $*" >&2; exit 1; }
compose() { (cd "$work/context" && docker-compose "$@"); }

down() {
    status=$?
    set +e
    if [ "$status" -ne 0 ] && [ -d "$work/context" ]; then
        compose ps
        compose logs --tail 30 2>&1 | cut -c1-400
    fi
    [ -d "$work/context" ] && compose --profile metrics down --volumes --remove-orphans >/dev/null 2>&1
    if [ -f "$work/dockerd.pid" ]; then
        engine=$(cat "$work/dockerd.pid")
        kill "$engine" && while kill -0 "$engine" 2>/dev/null; do sleep 0.2; done
    fi
    for mounted in $(awk -v w="$work" -v c="$cache/data" 'index($2, w) == 1 || index($2, c) == 1 { print $2 }' /proc/mounts | sort -r); do umount "$mounted"; done
    rm -rf "$work"
    [ "$status" -eq 0 ] && say "torn down"
    exit "$status"
}
trap down EXIT
trap 'exit 130' INT TERM

packages() {
    missing=""
    command -v dockerd >/dev/null 2>&1 || missing="$missing docker.io"
    command -v docker-compose >/dev/null 2>&1 || missing="$missing docker-compose"
    command -v debootstrap >/dev/null 2>&1 || missing="$missing debootstrap"
    [ -z "$missing" ] && return
    say "installing$missing"
    apt-get update -qq
    # shellcheck disable=SC2086
    DEBIAN_FRONTEND=noninteractive RUNLEVEL=1 apt-get install -y -qq --no-install-recommends $missing >/dev/null
}

engine() {
    dockerd --iptables=false --ip-masq=false --ip6tables=false --data-root "$cache/data" --exec-root "$work/exec" --pidfile "$work/dockerd.pid" \
        --host "$DOCKER_HOST" >"$work/dockerd.log" 2>&1 &
    for _ in $(seq 100); do
        docker info >/dev/null 2>&1 && return
        sleep 0.3
    done
    tail -20 "$work/dockerd.log"
    fail "the engine does not start"
}

stand_ins() {
    mkdir -p "$cache"
    if ! docker image inspect "$root_image" >/dev/null 2>&1; then
        say "making a root of Debian packages"
        debootstrap --variant=minbase --include="$within" bookworm "$work/root" >"$work/debootstrap.log" 2>&1 ||
            { tail -5 "$work/debootstrap.log"; fail "debootstrap"; }
        rm -rf "$work"/root/var/cache/apt/archives/*.deb
        tar -C "$work/root" -c . | docker import - "$root_image" >/dev/null
        rm -rf "$work/root"
    fi
    mkdir "$work/stand-in"
    cat >"$work/stand-in/postgres.sh" <<'END'
#!/bin/sh
# What the postgres image's entry point does, as far as the compose file needs it.
set -eu
PATH=$(echo /usr/lib/postgresql/*/bin):$PATH
folder=/var/lib/postgresql/data
if [ "$(id -u)" = 0 ]; then
    mkdir -p "$folder" && chown postgres:postgres "$folder" /run/postgresql && chmod 700 "$folder"
    exec setpriv --reuid=postgres --regid=postgres --init-groups "$0" "$@"
fi
if [ ! -s "$folder/PG_VERSION" ]; then
    initdb -D "$folder" -U "$POSTGRES_USER" -A scram-sha-256 --pwfile="$POSTGRES_PASSWORD_FILE" -E UTF8 --locale=C.UTF-8 >/dev/null
    echo "host all all all scram-sha-256" >>"$folder/pg_hba.conf"
    PGPASSWORD=$(cat "$POSTGRES_PASSWORD_FILE") && export PGPASSWORD
    pg_ctl -D "$folder" -o "-c listen_addresses='' -c unix_socket_directories=/tmp" -w start >/dev/null
    createdb -h /tmp -U "$POSTGRES_USER" "$POSTGRES_DB"
    pg_ctl -D "$folder" -m fast -w stop >/dev/null
fi
exec "$@" -D "$folder" -c listen_addresses='*'
END
    chmod 755 "$work/stand-in/postgres.sh"
    stand_in postgres 'COPY postgres.sh /\nRUN ln -s /usr/lib/postgresql/*/bin/* /usr/local/bin/\nENTRYPOINT ["/postgres.sh"]'
    stand_in redis 'RUN mkdir /data && chown 999:999 /data\nVOLUME /data'
    stand_in prom/prometheus 'RUN mkdir -p /prometheus && chown 65534 /prometheus\nUSER 65534\nVOLUME /prometheus\nENTRYPOINT ["/usr/bin/prometheus"]'
}

stand_in() {
    printf "FROM $root_image\n$2\n" | docker build -q -t "$(image "$1")" -f - "$work/stand-in" >"$work/build.log" 2>&1 ||
        { tail -20 "$work/build.log"; fail "a stand-in for $1"; }
}

image() { sed -n "s|^ *image: \($1:.*\)|\1|p" "$root/docker-compose.yml"; }

ours() {
    say "building the image"
    mkdir "$work/context"
    git -C "$root" archive HEAD | tar -x -C "$work/context"
    mkdir -p "$work/context/server/web/static" && cp -r "$root/server/web/static/dist" "$work/context/server/web/static/"
    if [ ! -d "$cache/wheels" ]; then
        "$venv/bin/pip" download -q --disable-pip-version-check -d "$cache/wheels.part" -c "$root/constraints.txt" \
            ${TORCH_INDEX_URL:+--extra-index-url "$TORCH_INDEX_URL"} "$root[torch,server,scale]" "setuptools>=77" wheel async-timeout  # the last for Debian's Python 3.11.2
        mv "$cache/wheels.part" "$cache/wheels"
    fi
    cp "$cache"/wheels/* "$work/context/docker/wheels/"
    docker build -q -t attention-judge --build-arg BASE="$root_image" --build-arg NODE="$root_image" --build-arg PIP_NO_INDEX=1 "$work/context" >"$work/build.log" 2>&1 ||
        { tail -20 "$work/build.log"; fail "the image does not build"; }
    sh "$root/scripts/secrets.sh" "$work/context/secrets"
}

[ "$(id -u)" -eq 0 ] || fail "needs root, to start an engine of its own"
[ -f "$root/server/web/static/dist/manifest.json" ] || fail "make frontend first"
packages
engine
stand_ins
ours
compose config -q || fail "docker-compose config"
say "up, with two workers"
compose up -d --no-build --scale worker=2 >"$work/up.log" 2>&1 || { tail -20 "$work/up.log"; fail "compose up"; }
token=$(compose run --rm -T migrate users add learner --token 2>"$work/run.log" | tail -1)
[ -n "$token" ] || { cat "$work/run.log"; fail "no account"; }
seen() {
    workers=$(compose ps -q worker)
    # shellcheck disable=SC2086
    (cd "$root" && DOCKER_WORKERS=$(echo $workers) E2E_TOKEN="$token" E2E_SITE="http://127.0.0.1:$PORT" E2E_FOLDER="$work" "$venv/bin/python" -m tests.scaled.e2e "$1")
}

# The lines of docs/running.md as they stand there, with this machine's compose.
lines() { sed -n '/^## Backup and restore/,$p' "$root/docs/running.md" | awk -v n="$1" '/^```/ { seen++; next } seen == n'; }
rehearse() {
    lines "$1" >"$work/lines"
    [ -s "$work/lines" ] || fail "docs/running.md has no lines to back up and restore"
    (cd "$work/context" && docker() { if [ "$1" = compose ]; then shift; docker-compose "$@"; else command docker "$@"; fi; } && . "$work/lines") >"$work/rehearsed.log" 2>&1 ||
        { cat "$work/lines"; tail -20 "$work/rehearsed.log"; fail "these lines"; }
}

seen judged
compose --profile metrics up -d --no-build prometheus >"$work/up.log" 2>&1 || { tail -20 "$work/up.log"; fail "compose up prometheus"; }
seen watched
say "backup; everything is gone; restore"
compose stop worker >/dev/null 2>&1
seen waiting
rehearse 1
compose --profile metrics down --volumes >/dev/null 2>&1
rm -rf "$work/context/secrets"
rehearse 3
seen restored
