# config.mk: what a user may want to set, each also on the command line (make GPU=soft) or in the environment.

ROOT ?= .

# cuda: the CUDA toolkit and a real GPU. soft: the software GPU. Default: cuda where nvcc and a GPU are there.
# Asked for once, at the first use: nvidia-smi takes a while.
GPU ?= $(eval GPU := $(shell PATH="$$PATH:$(CUDA_HOME)/bin"; command -v nvcc >/dev/null && nvidia-smi -L >/dev/null 2>&1 && echo cuda || echo soft))$(GPU)

CUDA_HOME ?= /usr/local/cuda
NVCC      ?= $(CUDA_HOME)/bin/nvcc

# Compute capabilities to compile for, without the dot. Default: those of this machine's GPUs.
SM ?= $(eval SM := $(or $(shell nvidia-smi --query-gpu=compute_cap --format=csv,noheader 2>/dev/null | tr -d . | sort -u),80 90))$(SM)

# Where ./setup --prefix put what was missing; all commands run in its shell.
DEPS ?= $(ROOT)/build/deps
ifneq ($(wildcard $(DEPS)/shell),)
SHELL := $(abspath $(DEPS))/shell
endif

# Another MPI than the one on PATH, for example a CUDA-aware one: an absolute path.
MPI_HOME ?=
MPICC    ?= $(if $(MPI_HOME),$(MPI_HOME)/bin/mpicc,mpicc)
MPIRUN   ?= $(if $(MPI_HOME),$(MPI_HOME)/bin/mpirun,mpirun)

# The folder of a NCCL that is not the system's, with include/nccl.h and lib/libnccl.so.2.
NCCL_HOME ?=

CC  := $(if $(filter default,$(origin CC)),gcc,$(CC))
CXX := $(if $(filter default,$(origin CXX)),g++,$(CXX))
# With lines for profilers and sanitizers; local variables (-g) would make building a tenth longer.
OPTIMIZE ?= -O3 -g1

# Where results lie; another folder than results/local is a recorded machine, which is drawn but not measured.
RESULTS ?= results/local

# How much is measured: smoke (seconds an experiment: does all of it work here?), small (minutes: numbers to judge on a
# machine without a GPU), full (a GPU node). Without a choice it is that of the results that are there.
SCALE ?= $(or $(word 2,$(file <$(RESULTS)/.settings)),smoke)

# How often an experiment's program is started (1 to 99): what differs from start to start is in its intervals then. Results
# that are there stay as they are: make -B ID STARTS=5
STARTS ?= 1

# What figures are drawn as: svg, which the report shows, or svg,png.
FORMATS ?= svg,png

# 0: figures, tables, verdicts and the report show what is in results/local; nothing is measured.
MEASURE ?= 1

# A recorded machine to compare with: make regress REF=results/nvidia-h200
REF ?=

# A recorded machine that stands for the second node in figures of two nodes. Default: the last by name of those in results/
# that is not RESULTS and of its class (with CUDA GPUs, or with the software GPU); none: no partner.
PARTNER ?=

# address or thread: build with that sanitizer.
SANITIZE ?=

# Parallel compilations when make was not given -j.
JOBS ?= $(shell nproc 2>/dev/null || echo 2)

# The commit to stamp into the programs where the tree is a copy and no checkout.
COMMIT ?=

# Where make install puts the programs.
PREFIX ?= /usr/local

# 1 shows every command.
V ?= 0
