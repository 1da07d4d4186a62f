#!/bin/sh
# web | worker | migrate | any `flask --app server` command. The secret of the hidden inputs must be the same in every container.
set -eu

if [ -r /run/secrets/inputs_secret ]; then
    mkdir -p "$GRADE_HOME"
    (umask 077 && cat /run/secrets/inputs_secret >"$GRADE_HOME/secret")
fi
case "$1" in
    web) exec gunicorn -c docker/gunicorn.conf.py ;;
    worker) exec flask --app server worker ;;
    migrate) flask --app server db upgrade && exec flask --app server bank sync ;;
    *) exec flask --app server "$@" ;;
esac
