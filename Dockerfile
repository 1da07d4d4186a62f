# One image for web, worker and migrate. Build: docker build -t attention-judge .
# Build arguments: BASE (any Debian with Python 3.11), NODE (any image with Node 18 or newer), TORCH_INDEX_URL (an index with CPU builds of
# torch; without it the default one is used, which on x86-64 brings CUDA along), FRAMEWORKS=numpy (an image without PyTorch).
ARG BASE=python:3.11-slim-bookworm
ARG NODE=node:22-bookworm-slim

# The pages' script and style; what `make frontend` has built already is taken as it is.
FROM ${NODE} AS pages
WORKDIR /src/server/web/frontend
COPY server ../../
RUN [ -f ../static/dist/manifest.json ] || { npm ci --no-audit --no-fund && npm run build; }

# The packages, in a virtual environment. docker/wheels is empty unless somebody wants to build without a registry.
FROM ${BASE} AS packages
ARG TORCH_INDEX_URL=
ARG FRAMEWORKS=all
ARG PIP_NO_INDEX=
ENV PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_FIND_LINKS=/wheels
WORKDIR /src
COPY docker/wheels /wheels
COPY constraints.txt ./
RUN python3 -m venv /opt/judge \
    && { [ "$FRAMEWORKS" = numpy ] || /opt/judge/bin/pip install ${TORCH_INDEX_URL:+--index-url "$TORCH_INDEX_URL"} "torch==$(sed -n 's/^torch==\([0-9.]*\).*/\1/p' constraints.txt)"; }
COPY pyproject.toml README.md LICENSE ./
RUN mkdir grader server && /opt/judge/bin/pip install -c constraints.txt ".[server,scale]" && /opt/judge/bin/pip uninstall -y -q attention-judge

FROM ${BASE}
# bubblewrap builds the room, libseccomp compiles its filter.
RUN { command -v bwrap && ldconfig -p | grep -q libseccomp.so.2; } >/dev/null \
    || { apt-get update -qq && apt-get install -y -qq --no-install-recommends bubblewrap libseccomp2 && rm -rf /var/lib/apt/lists/*; }
RUN useradd --uid 1000 --home-dir /var/lib/judge --shell /usr/sbin/nologin judge
COPY --from=packages /opt/judge /opt/judge
WORKDIR /srv/judge
COPY grader grader
COPY server server
COPY --from=pages /src/server/web/static/dist server/web/static/dist
COPY problems problems
COPY reference reference
COPY lessons lessons
COPY courses courses
COPY docs/*.md docs/
COPY docker/entrypoint.sh docker/gunicorn.conf.py docker/
ENV PATH=/opt/judge/bin:$PATH PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1 \
    JUDGE_BANK=/srv/judge JUDGE_INSTANCE=/var/lib/judge GRADE_HOME=/var/lib/judge/grade HOME=/var/lib/judge
USER judge
EXPOSE 8000
ENTRYPOINT ["sh", "docker/entrypoint.sh"]
CMD ["web"]
