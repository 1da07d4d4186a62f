#!/bin/sh
# What the tests need beside setup (Debian packages): Chromium for the pages; PostgreSQL, Redis and a clock that can be set wrong for the
# scaled service. Safe to run again. Where packages cannot be installed, those tests are skipped with their reason; in CI they fail.
set -eu

say() { printf 'test services: %s\n' "$*"; }

missing=""
command -v chromium >/dev/null 2>&1 || missing="$missing chromium"
# what the tests drive: without windows, a page costs a third of the time. Without it, they take the whole browser.
command -v chromium-headless-shell >/dev/null 2>&1 || ! apt-cache show chromium-headless-shell >/dev/null 2>&1 ||
    missing="$missing chromium-headless-shell"
ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || command -v initdb >/dev/null 2>&1 || missing="$missing postgresql"
command -v redis-server >/dev/null 2>&1 || missing="$missing redis-server"
command -v faketime >/dev/null 2>&1 || missing="$missing faketime"
command -v ip >/dev/null 2>&1 || missing="$missing iproute2"
if [ -n "$missing" ]; then
    if command -v apt-get >/dev/null 2>&1 && { [ "$(id -u)" -eq 0 ] || sudo -n true 2>/dev/null; }; then
        as_root=$([ "$(id -u)" -eq 0 ] || echo "sudo -n")
        say "installing$missing"
        # No server of these packages is to run by itself: the tests start their own.
        $as_root apt-get update -qq
        # shellcheck disable=SC2086
        DEBIAN_FRONTEND=noninteractive RUNLEVEL=1 $as_root apt-get install -y -qq --no-install-recommends $missing >/dev/null
    else
        say "not here:$missing; the tests that need them will be skipped"
    fi
fi
