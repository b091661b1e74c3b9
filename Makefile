# Entry point. CMake does the work (CMakePresets.json), tools/setup installs what is missing.
#   make test PRESET=asan      any target with another preset: release, asan, tsan, clang, coverage
#   make test UNITY=OFF        compile each file separately; otherwise sixteen files of a folder are compiled as one (`make unit` for changes of one file)
#   make test WERROR=ON        warnings are errors. Settings that are not given keep their value in the build folder, so that nothing is recompiled
#   make install PREFIX=~/.local

PRESET ?= release
PREFIX ?= /usr/local
BUILD := $(if $(filter release,$(PRESET)),build,build/$(PRESET))
# Compiling Eigen's templates takes up to 1.5 GB per process. The number of jobs is limited by cores and memory.
JOBS ?= $(shell awk -v n="$$(nproc)" '/^MemAvailable/ {m = int($$2 / 1500000); print m < 1 ? 1 : m < n ? m : n}' /proc/meminfo || echo 2)
OURS = $(shell find taut cli tests bench experiments python -name '*.[ch]pp' 2>/dev/null | sort)

.DEFAULT_GOAL := help
.PHONY: help setup configure build demo unit test test-slow engines-test validate sanitize sanitize-quick clang fuzz soak coverage bench bench-quick benchmarks lint lint-quick format docs site site-test wheels wheels-test static deb install clean

help:      ## print this list
	@awk -F ':.*## *' '/^[a-z-]+:.*## / {printf "make %-14s %s\n", $$1, $$2}' Makefile

setup:     ## install what is missing (Debian and Python packages, listed in tools/setup)
	@tools/setup build report columnar $(ALSO)

# Settings that are not given keep their value in the build folder; changed ones are printed.
configure: setup
	@tools/configure $(PRESET) $(foreach name,WERROR BENCH UNITY,$(if $($(name)),TAUT_$(name)=$($(name))))

build: configure  ## the program, build/taut, and the library
	tools/compile $(BUILD) $(JOBS) taut_cli libtaut

demo: configure  ## compare fixed and adaptive intervals on built-in data, and write a report
	tools/compile $(BUILD) $(JOBS) taut_cli
	$(BUILD)/taut demo

# Files are compiled separately: after a change only that file and the module's test program are rebuilt.
unit: setup  ## the unit tests of one module: make unit MODULE=trees (or task_label)
	@tools/configure dev
	tools/compile build/dev $(JOBS) test_$(MODULE)
	build/dev/tests/test_$(MODULE) --gtest_brief=1 --gtest_filter=-*Slow*

# What only some tests need is installed while the compiler runs.
define build_for_tests
	@tools/setup python-tests engines browser > build/setup-tests.log 2>&1 & installing=$$!; \
	tools/compile $(BUILD) $(JOBS) $(1); built=$$?; \
	wait $$installing; installed=$$?; cat build/setup-tests.log; [ $$built = 0 ] && [ $$installed = 0 ]
endef

test: ALSO += python
test: configure  ## all tests of modules, interfaces, the guarantee and bad input, except those of `make test-slow`
	$(call build_for_tests,all)
	ctest --preset $(PRESET) --parallel $(JOBS) --label-exclude slow

test-slow: ALSO += python
test-slow: configure  ## slow tests: injected faults that tests must detect, wheels, an outside project, clusters, all pages in a browser
	$(call build_for_tests,all slow_tests)
	ctest --preset $(PRESET) --parallel $(JOBS) --label-regex slow --no-tests=error

engines-test: ALSO += python python-tests engines
engines-test: configure  ## long tests of Spark and Dask: 200,000 rows, and a fit on a cluster compared with `taut fit` (about ten minutes)
	tools/compile $(BUILD) $(JOBS) taut_cli taut_python
	cd tests/python && TAUT_ENGINES=long PYTHONPATH=$(abspath $(BUILD))/python TAUT=$(abspath $(BUILD))/taut OMP_WAIT_POLICY=passive \
	  $(abspath build)/venv/bin/python -B -m pytest -q test_selection.py test_engines.py test_spark.py test_dask.py test_engines_long.py

validate: configure  ## the long test of the guarantee: every combination of parts is fitted many times (about ten minutes)
	tools/compile $(BUILD) $(JOBS) test_validity test_time test_experiments test_model
	TAUT_VALIDATE=long $(BUILD)/tests/validity/test_validity
	TAUT_VALIDATE=long $(BUILD)/tests/test_time
	TAUT_VALIDATE=long $(BUILD)/tests/test_model --gtest_filter='*ManyPairsSlow*'
	TAUT_VALIDATE=long $(BUILD)/tests/test_experiments --gtest_filter='*ComparisonNullRates*'

# Corpora grow in the build folder; inputs that once failed are in tests/fuzz/seeds.
FUZZ_SECONDS ?= 60
fuzz:      ## fuzz the readers of CSV, of model files and of other libraries' models, a minute each (FUZZ_SECONDS=600)
	@tools/setup build fuzz
	@tools/configure fuzz
	tools/compile build/fuzz $(JOBS) fuzzers
	tests/fuzz/run build/fuzz/tests/fuzz $(FUZZ_SECONDS)

# Only unit tests: the whole programs would have to be built twice more. The thread sanitizer runs the tests that use threads.
sanitize: configure  ## the unit tests with sanitizers: memory, undefined behaviour, data races; and the same bytes from two builds
	@for preset in asan tsan; do tools/configure $$preset || exit 1; done
	tools/compile build/asan $(JOBS) units
	ctest --preset asan --parallel $(JOBS) --label-regex unit
	tools/compile $(BUILD) $(JOBS) sums
	@echo "The same bytes from two builds:" && $(BUILD)/tests/faults/sums >build/sums && build/asan/tests/faults/sums | diff build/sums - && cat build/sums
	tools/compile build/tsan $(JOBS) $(addprefix test_,$(THREADED))
	@for module in $(THREADED); do build/tsan/tests/test_$$module --gtest_brief=1 --gtest_filter='*Thread*' || exit 1; done
THREADED = core trees predict localize metric model

sanitize-quick: setup  ## the part of these that continuous integration runs: readers of files, and code with threads
	@for preset in asan tsan; do tools/configure $$preset || exit 1; done
	tools/compile build/asan $(JOBS) test_core test_data test_trees test_foreign replay_csv replay_foreign replay_model
	ctest --preset asan --parallel $(JOBS) --tests-regex '^(core|data|trees|foreign|fuzz-csv|fuzz-foreign|fuzz-model)$$'
	tools/compile build/tsan $(JOBS) test_core test_trees
	@for module in core trees; do build/tsan/tests/test_$$module --gtest_brief=1 --gtest_filter='*Thread*' || exit 1; done

clang: setup  ## the unit tests and the program with a second compiler and C++ library: clang, libc++
	@tools/setup clang
	@tools/configure clang
	tools/compile build/clang $(JOBS) units taut_cli
	ctest --preset clang --parallel $(JOBS) --label-regex unit
	build/clang/taut demo -o build/clang/demo

SOAK_SECONDS ?= 300
soak: configure  ## random operations for five minutes with a check of memory, and a kill at every step of writing (SOAK_SECONDS=3600)
	tools/compile $(BUILD) $(JOBS) soak taut_cli kill_before
	$(BUILD)/tests/faults/soak $(SOAK_SECONDS)
	TAUT=$(abspath $(BUILD))/taut TAUT_KILL_BEFORE=$(abspath $(BUILD))/tests/faults/libkill_before.so python3 -B tests/faults/crash_test.py

# Branches that the compiler adds for exceptions, and those that are never taken by proof, are not counted. The tests of the guarantee
# are left out: they reach no further lines, and counting makes them slow.
coverage: ALSO += python python-tests coverage
coverage: setup  ## measure the lines and branches of taut/ that the tests reach: at least 92 and 80 %
	@tools/configure coverage
	tools/compile build/coverage $(JOBS) all
	find build/coverage -name '*.gcda' -delete
	ctest --preset coverage --parallel $(JOBS) --exclude-regex '^(validity|python-wheel|outside)'
	gcovr --root . --filter taut/ --exclude-throw-branches --exclude-unreachable-branches --exclude-directories '.*CompilerIdCXX' \
	  --print-summary --html-details build/coverage/index.html --fail-under-line 92 --fail-under-branch 80 build/coverage

bench: ALSO += peers torch
bench: benchmarks  ## benchmark Taut against other libraries and write docs/performance.md (ARGS="--full", ARGS="--only csv,knn")
	bench/run.py $(ARGS)

bench-quick: ALSO += peers
bench-quick: benchmarks  ## the same with small sizes, within two minutes; prints only
	bench/run.py --quick $(ARGS)

benchmarks: setup
	@tools/configure bench
	tools/compile build/bench $(JOBS) benchmarks

# clang-tidy needs the flags of each file compiled separately, so it has a separate folder, in which nothing is built.
lint: setup  ## layout, include order, clang-tidy on all files (half an hour)
	@tools/lint $(JOBS)

BASE ?= HEAD~1
lint-quick: setup  ## the same, clang-tidy only on files that changed since BASE (HEAD~1)
	@tools/lint $(JOBS) $(BASE)

format:    ## format all C++ files by .clang-format
	@tools/setup lint
	clang-format -i $(OURS)

docs: build  ## rewrite docs/commands.md from the program's own --help
	tools/write-commands $(BUILD)/taut docs/commands.md

SITE_PYTHON = PYTHONPATH=$(abspath $(BUILD))/python build/site-venv/bin/python -B
site: ALSO += python site
site: configure  ## the documentation as a site: build/site/index.html
	tools/compile $(BUILD) $(JOBS) taut_python
	$(SITE_PYTHON) tools/build-site

site-test: ALSO += browser
site-test: site  ## run the code of the tutorials ($$TAUT_DATA is the folder of data sets), and test every page in Chromium
	tools/compile $(BUILD) $(JOBS) taut_cli
	TAUT=$(abspath $(BUILD))/taut $(SITE_PYTHON) tests/site/tutorials_test.py || [ $$? = 77 ]
	TAUT_SITE=build/site TAUT_SCREENSHOTS=build/site-screenshots TAUT_PAGE_MODULES=$(abspath $(BUILD))/report-page/node_modules PATH="$$PATH:$(abspath build/node/bin)" node tests/site/site_test.mjs || [ $$? = 77 ]

wheels: ALSO += wheels
wheels: setup  ## one wheel for every Python since 3.10 and every Linux since glibc 2.28, and the sdist: dist/ (needs a Python 3.12; else for older ones)
	build/wheels-venv/bin/python tools/build-wheels --jobs $(JOBS) $(ARGS)

wheels-test:  ## install dist/*.whl into a new environment for each Python on this machine; run the README's example and tests/python
	python3 tests/python/wheel_file.py $(ARGS)

# All libraries are linked statically, with musl instead of glibc: the program runs on any Linux with this processor.
static: ALSO += wheels
static: setup  ## one program that needs no library: build/static/taut
	tools/build-static

deb:       ## Debian packages of the program and the library: build/deb/*.deb
	@tools/setup build report deb
	tools/build-deb

install: build  ## program, library, headers and CMake package under PREFIX
	cmake --install $(BUILD) --prefix $(abspath $(PREFIX))

clean:     ## remove everything that was built
	rm -rf build
