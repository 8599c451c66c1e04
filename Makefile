# datamotion: build, measure, draw, judge. `make help` lists the targets; config.mk holds the settings.
#
#   program  -->  results/local/<experiment>.csv  -->  figures/<figure>.svg  -->  report.html
#                                                 -->  verdicts.csv
#
# These are real dependencies: a second `make reproduce` measures nothing again, `make -B <experiment>` does.

ROOT := .
include common/libraries.mk

BUILD := build/$(GPU)$(if $(SANITIZE),-$(SANITIZE))
BIN   := $(BUILD)/bin
TOOLS := build/tools
Q     := $(if $(filter 1,$(V)),,@)
export GPU SCALE STARTS RESULTS PARTNER V MPIRUN

# Directories of mechanisms, in the order of the README; those that are there.
DIRECTORIES := $(patsubst %/Makefile,%,$(wildcard $(addsuffix /Makefile,\
    common prefetch pinning rdma pipeline blp unified_memory spmv coarrays partition tuner)))
MECHANISMS  := $(filter-out common,$(DIRECTORIES))
MANIFESTS   := $(wildcard */experiments.tsv)

# Programs that are not built, as a library is not here: lines directory, program, libraries. Experiments do not wait for them.
LEFT_OUT_FILE := $(LIBRARIES)/left_out.$(GPU)
ifeq ($(filter help clean distclean setup,$(MAKECMDGOALS)),)
$(LEFT_OUT_FILE): $(LIBRARIES)/libraries.mk common/rules.mk run/Makefile $(addsuffix /Makefile,$(DIRECTORIES))
	@for directory in $(DIRECTORIES) run; do $(MAKE) -s --no-print-directory -C $$directory left-out || exit 1; done > $@.new && mv $@.new $@
-include $(LEFT_OUT_FILE).mk
$(LEFT_OUT_FILE).mk: $(LEFT_OUT_FILE)
	@awk '{ printf "LEFT_OUT += $$(BIN)/%s\n", $$2 }' $< > $@
endif

# Directories are made without -B: it asks for new results, and new programs would make all other results stale.
FLAGS    = -$(MAKEFLAGS)
UNFORCED = $(if $(findstring B,$(firstword $(FLAGS))),MAKEFLAGS='$(patsubst -%,%,$(subst B,,$(firstword $(FLAGS)))) $(wordlist 2,99,$(FLAGS))')
SUBMAKE  = $(UNFORCED) $(MAKE) --no-print-directory $(if $(findstring -j,$(MAKEFLAGS)),,-j$(JOBS))

# Only this machine's results are measured; another folder is a recorded machine.
override MEASURE := $(if $(filter results/local results/local/%,$(RESULTS)),$(filter 1,$(MEASURE)))

.DEFAULT_GOAL := all
.DELETE_ON_ERROR:
.NOTPARALLEL:
.PHONY: all doctor tools list figures stale-figures stale-tables tables check falsify regress report reproduce measure measured programs plan test fuzz sanitize \
        profile \
        test-programs install clean distclean help setup FORCE $(DIRECTORIES)

##@ Build
all: $(DIRECTORIES) tools ## build every program and tool
	@run/left_out

doctor: ## which libraries and tools are here, and what each is for
	@$(libraries_env) setup.d/probe table $(LIBRARIES)
	@run/left_out

# Common goes first, so that no other directory has to look whether its library is up to date.
$(MECHANISMS): common
$(DIRECTORIES): ## <directory>: build one directory
	@+$(SUBMAKE) COMMON_IS_MADE=1 -C $@

tools: ## build what collects results into a data base
	@+$(SUBMAKE) -C run SANITIZE=

setup: ## install what is missing on Debian or Ubuntu, or say what to load
	@./setup

install: all ## copy programs, libraries and headers to $(PREFIX) (common/install -h)
	@common/install $(BUILD) $(DESTDIR)$(PREFIX)

# What cannot be installed leaves out what needs it, and nothing else.
WITHOUT := going on without: make doctor says what is left out

##@ Measure, draw, judge
reproduce: ## everything: build, measure, draw, judge, report (SCALE=smoke|small|full)
	@./setup || echo '$(WITHOUT)' >&2
	@printf '%s; then figures, tables, verdicts and report. ' "$$(run/manifest list | tail -n 1)"
	@echo 'SCALE=small and SCALE=full measure longer: make list SCALE=small tells how long.'
	@+$(MAKE) --no-print-directory all
	@+status=0; $(MAKE) --no-print-directory -k measure || status=1; \
	$(MAKE) --no-print-directory figures tables check report && exit $$status

list: ## the experiments, with minutes, needs and figures
	@run/manifest list

# A program that was not touched keeps its time stamp, so its results stay fresh.
$(foreach directory,$(DIRECTORIES),$(eval $(BIN)/$(directory)_%: $(if $(PLAN)$(BUILT),,$(directory)) ; @:))

# Results of another GPU or scale are not mixed: a change of either makes all of them stale. That the software GPU takes the
# place of a GPU has to be said: a driver that fails must not turn a GPU's results into times of the CPU.
export GPU_ORIGIN ?= $(origin GPU)
$(RESULTS)/.settings: $(if $(PLAN),,FORCE)
	@mkdir -p $(RESULTS)
	@case "$(GPU) $(GPU_ORIGIN) $$(cat $@ 2>/dev/null)" in 'soft file cuda '*) \
	    echo "$(RESULTS) holds results of a CUDA GPU, and none is found now (nvcc on PATH, nvidia-smi -L): mend that, or say which:" \
	        "GPU=cuda, or GPU=soft to measure again on the software GPU, best with another RESULTS, or MEASURE=0" >&2; exit 1 ;; \
	esac
	@echo '$(GPU) $(SCALE)' | cmp -s - $@ || { \
	    [ ! -s $@ ] || echo "$(RESULTS): results of '$$(cat $@)' are measured again as '$(GPU) $(SCALE)' (MEASURE=0 shows them as they are)" >&2; \
	    echo '$(GPU) $(SCALE)' > $@; }

ifeq ($(filter help clean distclean setup test test-% fuzz sanitize,$(MAKECMDGOALS)),)
build/experiments.mk: $(MANIFESTS) run/manifest $(wildcard plots/*.gp plots/*.sql)
	@mkdir -p build && run/manifest make > $@.new && mv $@.new $@
include build/experiments.mk
# What failed after a result was published must not remove it; run/experiment leaves no other parts.
.PRECIOUS: $(EXPERIMENT_CSVS)
endif

# The experiments of `make measure`: all, or EXPERIMENTS, whose directories alone are built then.
MEASURED  := $(if $(EXPERIMENTS),$(EXPERIMENTS:%=$(RESULTS)/%.csv),$(EXPERIMENT_CSVS))
FOR_THOSE := $(if $(EXPERIMENTS),$(foreach directory,$(DIRECTORIES),$(if $(filter $(directory)_%,$(EXPERIMENTS)),$(directory))),$(DIRECTORIES))

# What is stale, in the order of measuring: the progress line counts along it. A dry run takes for new whatever has a phony
# prerequisite, so what experiments depend on is made before, and in the dry run has none (PLAN).
plan: $(if $(PLAN)$(BUILT),,$(FOR_THOSE)) $(if $(MEASURE),$(RESULTS)/.settings)
	@mkdir -p build
	@+$(MAKE) --no-print-directory -nk PLAN=1 $(MEASURED) 2>/dev/null | sed -n 's|.*run/experiment \([a-z0-9_]*\)$$|\1|p' > $(PLAN_FILE) || true

PLAN_FILE  = $(if $(MEASURE),$(RESULTS)/.plan,build/plan)
programs: $(FOR_THOSE)
	@:
measured: $(if $(MEASURE),$(MEASURED))
	@:

# A directory that does not compile is built once, and is no reason to lose the count: the others' experiments follow (with -k).
measure: ## run the experiments whose results are missing or old (EXPERIMENTS="a b": those)
ifneq ($(MEASURE),)
	@+status=0; $(if $(BUILT),:,$(MAKE) --no-print-directory programs) || status=1; \
	[ $$status -eq 0 ] || [ -n '$(findstring k,$(firstword $(FLAGS)))' ] || exit 1; \
	$(MAKE) --no-print-directory BUILT=1 plan && \
	DATAMOTION_PLAN='$(abspath $(PLAN_FILE))' $(MAKE) --no-print-directory BUILT=1 measured || status=1; exit $$status
endif

stale-figures: $(FIGURE_FILES)
stale-tables: $(TABLE_FILES)
stale-figures stale-tables:
	@:

# Drawn together, as many at a time as there are cores: a first pass measures and lists those to draw.
figures: tools ## draw every figure (RESULTS=results/<machine>: of a recorded machine)
tables: tools ## write every table as text and HTML
figures tables:
	@mkdir -p build && : > build/stale-$@
	@+status=0; $(MAKE) --no-print-directory STALE=build/stale-$@ stale-$@ || status=1; \
	[ ! -s build/stale-$@ ] || { run/collect $(RESULTS) && echo "drawing $$(wc -l < build/stale-$@) $@" && \
	    plots/draw --formats $(FORMATS) $(RESULTS) $$(cat build/stale-$@); } || status=1; exit $$status

check: tools ## verdicts on the published claims
	@run/collect $(RESULTS)
	@run/check $(RESULTS)

falsify: tools ## see whether each verdict can fall: wrong numbers, on this machine or RESULTS=results/<machine>
	@run/falsify $(RESULTS)

regress: tools ## compare with a recorded machine: REF=results/<machine>
	@test -n "$(REF)" || { echo "say what to compare with: make regress REF=results/<machine>" >&2; exit 1; }
	@run/collect $(RESULTS) && run/collect $(REF) && run/regress $(RESULTS) $(REF)

report: tools ## pages for a browser: figures, claims, experiments, machine
	@run/collect $(RESULTS)
	@run/report $(RESULTS)

##@ Test
test: ## all tests; ends with `N passed, N failed`
	@./setup --tests || echo '$(WITHOUT)' >&2
	@+$(MAKE) --no-print-directory all test-programs
	@tests/run

test-programs: $(addprefix test-programs-,$(DIRECTORIES)) $(if $(SANITIZE),,$(BUILD)/test/patient_yield.so) ## build the C tests
$(BUILD)/test/patient_yield.so: tests/patient_yield.c
	@mkdir -p $(@D)
	$(Q)$(CC) -std=c11 -D_GNU_SOURCE -O2 -Wall -Wextra -Werror -shared -fPIC -o $@ $<
$(addprefix test-programs-,$(MECHANISMS)): test-programs-common
$(addprefix test-programs-,$(DIRECTORIES)): test-programs-%:
	@+$(SUBMAKE) COMMON_IS_MADE=1 -C $* tests

DIRECTORY_TESTS := $(addprefix test-,$(DIRECTORIES))
$(DIRECTORY_TESTS): test-%: ## test-<directory>: the tests of one directory
	@+$(SUBMAKE) -C $* test

# Of the chain from programs to the report, of the tools, of the figures, of the ledger, of the suite as a whole.
WHOLE_TESTS := test-chain test-run test-plots test-claims test-suite
$(WHOLE_TESTS): test-%: all ## test-chain: the smoke reproduction; test-run, test-plots, test-suite, test-claims
	@tests/run $*

.PHONY: $(DIRECTORY_TESTS) $(WHOLE_TESTS) $(addprefix test-programs-,$(DIRECTORIES))

fuzz: ## parsers under ASan and UBSan with mutated input (SECONDS=60)
	@tests/fuzz $(or $(SECONDS),60)

sanitize: ## C tests under ASan, UBSan and TSan; with GPU=cuda under compute-sanitizer
	@tests/sanitize

PROFILE := perf record -g -o
ifeq ($(GPU),cuda)
PROFILE := nsys profile --trace=cuda,nvtx --force-overwrite=true -o
endif
profile: ## profile one program: PROGRAM=pinning_copy ARGS='...'
	@test -n "$(PROGRAM)" || { echo "say which: make profile PROGRAM=pinning_copy ARGS='-n 10'" >&2; exit 1; }
	@+$(MAKE) --no-print-directory $(BIN)/$(PROGRAM)
	@mkdir -p build/profile
	$(Q)$(PROFILE) build/profile/$(PROGRAM)$(if $(filter perf,$(PROFILE)),.perf) $(BIN)/$(PROGRAM) $(ARGS)

##@ Clean
clean: ## remove what was built; results stay
	$(Q)rm -rf build

distclean: clean ## remove also this machine's results
	$(Q)rm -rf results/local

help: ## this list
	@awk 'BEGIN {FS = ":.*## "} /^##@/ {printf "\n%s\n", substr($$0, 5)} \
	     /^[a-z$$()A-Z_-]+:.*## / {name = $$1; \
	     if (match($$2, /^(<[a-z]+>|test-[a-z<>]+): /)) {name = substr($$2, 1, RLENGTH - 2); $$2 = substr($$2, RLENGTH + 1)}; printf "  %-16s %s\n", name, $$2}' Makefile
	@printf '\n  <experiment>     run one experiment (make list); make -B <experiment> measures again\n'
	@printf '  <figure>         draw one figure or table, measuring what it needs\n'
	@printf '\nSettings (config.mk): GPU=%s SCALE=%s RESULTS=%s SM="%s"\n' '$(GPU)' '$(SCALE)' '$(RESULTS)' '$(SM)'
