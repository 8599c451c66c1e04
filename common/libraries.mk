# libraries.mk: settings, and which libraries are here; included by every Makefile that builds.
#   HAVE  names of setup.d/libraries that were found (HIDE=isl,fann: but not these)
#   llvm_version, llvm_config, llvm_polly  which LLVM (LLVM=16, or LLVM_CONFIG=PATH: this one), and what links its Polly
#   libclang_version, libclang_config      which libclang
# What is not here is never tried: `needs` of a directory's Makefile (rules.mk) leaves out what it is needed for.
ifndef libraries_included
libraries_included := yes
ROOT ?= ..
include $(ROOT)/config.mk
HIDE ?=
libraries_comma := ,
# What is built as if something were missing is noted apart.
libraries_env := HIDE='$(HIDE)' CC='$(CC)' CXX='$(CXX)' FC='$(if $(filter default undefined,$(origin FC)),,$(FC))' MPICC='$(MPICC)' \
    MPIRUN='$(MPIRUN)' LLVM='$(LLVM)' LLVM_CONFIG='$(LLVM_CONFIG)' DEPS='$(abspath $(DEPS))'
LIBRARIES := $(ROOT)/build$(if $(HIDE),/without-$(subst $(libraries_comma),-,$(HIDE)))
# BUILT=1 measures with what was built, maybe on another machine, and on a node without headers and compilers.
ifeq ($(and $(BUILT),$(wildcard $(LIBRARIES)/libraries.mk)),)
libraries_said := $(shell $(libraries_env) $(ROOT)/setup.d/probe update $(LIBRARIES))
endif
include $(LIBRARIES)/libraries.mk
have = $(filter $(1),$(HAVE))
endif
