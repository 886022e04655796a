# Everything runs in a private environment, .venv, made from the locked requirements.
PYTHON ?= python3
PORT ?= 8080
HOST ?= 0.0.0.0
DATA ?= parlour-data
BIN := .venv/bin
NATIVE := $(wildcard native/*.cpp native/*.hpp native/*.inc native/bindings/* native/CMakeLists.txt CMakeLists.txt)

.PHONY: serve test lint bench clean env

env: .venv/.built

.venv/.deps: requirements/dev.txt
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --disable-pip-version-check --require-hashes -r requirements/dev.txt
	@touch $@

.venv/.built: .venv/.deps pyproject.toml $(NATIVE)
	$(BIN)/pip install --quiet --disable-pip-version-check --no-build-isolation --no-deps --editable .
	@touch $@

serve: env
	$(BIN)/parlour serve --host $(HOST) --port $(PORT) --data $(DATA)

test: env lint
	$(BIN)/pytest -q

lint: env
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

clean:
	rm -rf .venv build dist
