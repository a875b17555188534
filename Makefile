# Two commands do everything on a fresh machine: `make demo` and `make test`.
# Needs python3 (3.11 or later) with its venv module, and make.

PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
DEMO ?= demo
WORKERS ?= 2
SECONDS ?= 60

.PHONY: help demo test lint types unit wheel docs serve-docs bench attack fresh clean

help:
	@echo "make demo    protect the data that ships with discreet and leave a report to look at"
	@echo "make test    ruff, mypy and pytest"
	@echo "make docs    build the documentation into site/"
	@echo "make bench   run the short benchmarks (CASES=... picks by name)"
	@echo "make attack  run the fuzzers that try to break the checks (SECONDS=60 each; ATTACKS=... picks by name)"
	@echo "make wheel   build the wheel and run it in an empty environment"
	@echo "make fresh   forget compiled kernels (after changing one that another file calls)"
	@echo "make clean   remove what the above have made"

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "discreet needs Python 3.11 or later; set PYTHON=/path/to/python3.11"; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip

$(VENV)/.demo: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --editable '.[plot,exact]'
	@touch $@

$(VENV)/.dev: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --editable '.[dev]'
	@touch $@ $(VENV)/.demo

demo: $(VENV)/.demo
	$(BIN)/discreet demo --folder $(DEMO) --force

test: lint types unit

lint: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/.dev
	$(BIN)/mypy

unit: $(VENV)/.dev
	$(BIN)/python -m pytest -n $(WORKERS) --dist loadgroup

wheel: $(VENV)/.dev
	$(BIN)/python -m pytest tests/test_wheel.py

docs: $(VENV)/.dev
	$(BIN)/mkdocs build --strict

serve-docs: $(VENV)/.dev
	$(BIN)/mkdocs serve

bench: $(VENV)/.dev
	$(BIN)/python -m benchmarks $(CASES)

attack: $(VENV)/.dev
	$(BIN)/python -m attack --seconds $(SECONDS) $(ATTACKS)

fresh:
	find src tests -name '*.nb[ic]' -delete

clean:
	rm -rf $(VENV) $(DEMO) site dist build .mypy_cache .ruff_cache .pytest_cache .hypothesis
