# Everything that is done with the project. A fresh machine needs Python 3.11 or later and make.

VENV := .venv
BIN := $(VENV)/bin
INSTALLED := $(VENV)/.installed
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet

.DEFAULT_GOAL := help
.PHONY: help serve lint check test test-slow test-citus test-matrix fuzz audit demo bench lock openapi goldens messages docs format clean

help:
	@echo "make serve      the service, on http://127.0.0.1:8000 unless HOST and PORT say otherwise"
	@echo "make demo       four clients play a game over HTTP and tell its story"
	@echo "make check      what to run before a commit: lint, types, contracts, the API document, the quicker tests"
	@echo "make test       everything that must hold: the same and all other tests but the slow ones"
	@echo "make test-slow  the suites that take minutes"
	@echo "make test-citus  tests on a Citus cluster, which is built from CITUS_SOURCE the first time"
	@echo "make test-matrix  the quicker tests with each Python and each Postgres that are found here"
	@echo "make fuzz       actions and records from a fuzzer that is led by coverage (SECONDS=60 each; Linux on x86-64)"
	@echo "make audit      known vulnerabilities of the locked packages, asked of PyPI"
	@echo "make bench      what the service costs, measured"
	@echo "make docs       the documentation site, in build/docs; make serve has it below /docs/"
	@echo "make format, openapi, goldens, messages, lock, clean: the upkeep"

serve: $(INSTALLED)
	@exec $(BIN)/holmgang serve

demo: $(INSTALLED)
	@exec $(BIN)/holmgang demo$(if $(GAME), --game $(GAME))

# In processes, file by file: those from end to end first, which wait most.
PYTEST := $(BIN)/pytest -n auto --dist loadfile --no-loadscope-reorder

lint: $(INSTALLED)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo
	$(BIN)/holmgang openapi --check openapi/openapi.json

check: lint
	$(PYTEST) -m "not slow and not long" tests/unit tests/integration

test: lint
	$(PYTEST) --ignore tests/citus

test-slow: $(INSTALLED)
	$(BIN)/pytest -m slow --timeout 3600 --ignore tests/citus

test-citus: $(INSTALLED)
	@RACING_SECONDS=$(or $(RACING_SECONDS),120) $(BIN)/python -m tests.citus

test-matrix: $(INSTALLED)
	@$(BIN)/python -m tests.matrix

fuzz: $(INSTALLED)
	@$(PIP) install --require-hashes -r locks/fuzz.lock
	$(BIN)/python -m tests.fuzz.run --seconds $(or $(SECONDS),60)

audit: $(INSTALLED)
	@$(BIN)/python -m tests.audit

# What others' games need is had where there are wheels of it; the rows of those that are missing are left out, and named.
bench: $(INSTALLED)
	@$(PIP) install --require-hashes --only-binary :all: -r locks/bench.lock \
	  || echo "OpenSpiel and pygame could not be installed here: their rows will be missing."
	$(BIN)/python -m bench

openapi: $(INSTALLED)
	$(BIN)/holmgang openapi --write openapi/openapi.json
	$(BIN)/python -m tests.sdk.rewrite

goldens: $(INSTALLED)
	$(BIN)/python -m tests.playthroughs.rewrite
	$(BIN)/python -m tests.pictures.rewrite
	$(BIN)/python -m tests.interface.rewrite

messages: $(INSTALLED)
	$(BIN)/python -m tests.languages.rewrite

docs: $(INSTALLED)
	@$(BIN)/python docs/build.py

format: $(INSTALLED)
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

# The virtual environment: made once, filled from the lock file, and again whenever that or the project file changes.
$(INSTALLED): locks/development.lock pyproject.toml
	@test -x $(BIN)/python || { \
	  lame=; \
	  for python in $(PYTHON) python3 python3.14 python3.13 python3.12 python3.11; do \
	    "$$python" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 14))' 2>/dev/null || continue; \
	    "$$python" -c 'import ensurepip, venv' 2>/dev/null && { chosen=$$python; break; }; \
	    lame=$$python; \
	  done; \
	  if [ -n "$$chosen" ]; then \
	    echo "Making $(VENV) with $$chosen and installing the locked packages (about a minute)."; \
	    rm -rf $(VENV); "$$chosen" -m venv $(VENV); \
	  elif [ -n "$$lame" ]; then \
	    echo "$$lame cannot make virtual environments: install its venv package (on Debian and Ubuntu: apt-get install python3-venv)." >&2; exit 1; \
	  else \
	    echo "Python 3.11, 3.12, 3.13 or 3.14 is needed and none was found: install one, or name it with make PYTHON=..." >&2; exit 1; \
	  fi; }
	@$(PIP) install --require-hashes -r locks/development.lock
	@$(PIP) install --no-deps --no-build-isolation -e .
	@touch $@

# Exact versions with hashes, the same for every supported Python; no package index is named in them. `server.lock`
# holds only what a server needs, others what `make fuzz` and `make bench` need besides, in the same versions.
COMPILE := pip compile pyproject.toml --generate-hashes --universal --python-version 3.11 --no-emit-index-url \
  --no-header --no-annotate --quiet

lock:
	@uv=$$(mktemp -d) && trap 'rm -rf "$$uv"' EXIT && python3 -m venv "$$uv" \
	  && "$$uv/bin/pip" --disable-pip-version-check --quiet install uv \
	  && "$$uv/bin/uv" $(COMPILE) --extra server --extra otel --extra plot --extra pettingzoo --extra mcp --extra docs --extra dev -o locks/development.lock \
	  && "$$uv/bin/uv" $(COMPILE) --extra server --extra otel -c locks/development.lock -o locks/server.lock \
	  && "$$uv/bin/uv" $(COMPILE) --extra server --extra docs -c locks/development.lock -o locks/docs.lock \
	  && "$$uv/bin/uv" $(COMPILE) --extra fuzz -c locks/development.lock -o locks/fuzz.lock \
	  && "$$uv/bin/uv" $(COMPILE) --extra bench -c locks/development.lock -o locks/bench.lock \
  && { "$$uv/bin/uv" $(COMPILE) locks/training.in --extra pettingzoo --extra plot -c locks/development.lock -o locks/training.lock \
    || echo "PyTorch's build for the CPU was not found (UV_FIND_LINKS may name a folder): locks/training.lock is as it was."; }

clean:
	rm -rf $(VENV) build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache .schemathesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
