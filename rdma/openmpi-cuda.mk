# openmpi-cuda.mk: builds an Open MPI that takes GPU pointers, from the source package of Debian or Ubuntu.
#
#     make -f rdma/openmpi-cuda.mk                 once: 5 to 20 minutes, 14 MB; nothing outside build/ is touched
#     make MPI_HOME=$PWD/build/openmpi-cuda        builds and measures with it; the path must be absolute
#
# The packages of Debian and Ubuntu are built without CUDA: given a GPU pointer they crash. This one loads the driver's
# libcuda when it starts, if there is one, so it also runs where there is no GPU. Whoever moves the folder sets
# OPAL_PREFIX to the new one, and LD_LIBRARY_PATH to its lib.
#
#     OPENMPI=DIR     where it is installed (build/openmpi-cuda)
#     TARBALL=FILE    this source of Open MPI 4.1, without network and apt-get (its origin is then for you to vouch for)
#     MIRROR=URL      another mirror of the distribution
#     JOBS=N          parallel compilations (all cores)
ROOT := $(abspath $(dir $(lastword $(MAKEFILE_LIST)))..)
include $(ROOT)/config.mk
SHELL       := bash
.SHELLFLAGS := -euo pipefail -c
.ONESHELL:
.DELETE_ON_ERROR:
.PHONY: all

OPENMPI ?= $(ROOT)/build/openmpi-cuda
TARBALL ?=
home    := $(abspath $(OPENMPI))
work    := $(home).build

# Debian 12 has the 4.1 series; Ubuntu has it in its own releases from 22.04 on.
distribution := $(shell . /etc/os-release 2>/dev/null && echo "$$ID")
ifeq ($(distribution),ubuntu)
  MIRROR  ?= http://archive.ubuntu.com/ubuntu
  source  := $(shell . /etc/os-release && echo "$$VERSION_CODENAME") main universe
else
  MIRROR  ?= http://deb.debian.org/debian
  source  := bookworm main
endif
keyring := /usr/share/keyrings/$(distribution)-archive-keyring.gpg

# Only what transfers blocks on and between hosts of one cluster: no Fortran, no OpenSHMEM, no MPI-IO of ROMIO. Without
# UCX and libfabric, GPU pointers go by Open MPI's own shared memory and CUDA IPC (smcuda).
options := --with-cuda=$(CUDA_HOME) --enable-mpi-fortran=no --disable-oshmem --disable-io-romio --without-ucx --without-ofi \
           --without-verbs --with-hwloc=internal --with-libevent=internal --with-pmix=internal

say  = printf '  %-9s %s\n'
fail = fail() { printf 'openmpi-cuda.mk: %s\n' "$$*" >&2; exit 1; }
# Output goes to a log; of it, one line per 250 files is shown.
logged = 2>&1 | tee $(1) | awk '/^ +(CC|CCLD) / && ++n % 250 == 0 {printf "            %d files\n", n; fflush()}' \
         || fail "this did not work; the end of $(1) says why: $$(tail -n 5 $(1))"

all: $(home)/bin/mpicc
	@$(say) READY 'make MPI_HOME=$(home)'

# ---- source ----

$(work)/source.tar:
	@$(fail)
	[ -f '$(CUDA_HOME)/include/cuda.h' ] || fail 'there is no $(CUDA_HOME)/include/cuda.h: set CUDA_HOME to a CUDA toolkit'
	mkdir -p $(work)/apt/lists/partial $(work)/apt/cache/archives/partial && cd $(work)
	tarball='$(if $(TARBALL),$(abspath $(TARBALL)))'
	if [ -z "$$tarball" ]; then
	    command -v apt-get >/dev/null || fail 'there is no apt-get: download Open MPI 4.1 and name it with TARBALL=FILE'
	    [ -f '$(keyring)' ] || fail 'there is no $(keyring), which tells true packages from others: install it, or name TARBALL=FILE'
	    $(say) DOWNLOAD 'openmpi of $(firstword $(source)) from $(MIRROR)'
	    echo 'deb-src [signed-by=$(keyring)] $(MIRROR) $(source)' > apt/sources.list
	    printf '%s\n' 'Dir::Etc::SourceList "$(work)/apt/sources.list";' 'Dir::Etc::SourceParts "-";' \
	        'Dir::State::Lists "$(work)/apt/lists";' 'Dir::Cache "$(work)/apt/cache";' 'APT::Sandbox::User "";' > apt/apt.conf
	    export APT_CONFIG=$(work)/apt/apt.conf
	    { apt-get -q --error-on=any update && apt-get -q source --download-only openmpi; } > apt/log 2>&1 \
	        || fail "cannot download: $$(grep -m 1 '^E:' apt/log || tail -n 1 apt/log); with no network, name TARBALL=FILE"
	    sed -n '/^Checksums-Sha256:/,/^[^ ]/s/^ \([0-9a-f]*\) [0-9]* \(.*\)/\1  \2/p' openmpi_*.dsc > checksums
	    sha256sum --quiet --check --strict checksums || fail 'the files are not those of the package description'
	    tarball=$$(echo openmpi_*.orig.tar.*)
	fi
	[ -f "$$tarball" ] || fail "no file $$tarball"
	cp "$$tarball" $@

# ---- build ----

$(work)/build/config.status: $(work)/source.tar
	@$(fail)
	mkdir -p $(work)/source $(work)/build && cd $(work)/build
	tar -x -f $< -C $(work)/source --strip-components=1 || fail '$< cannot be unpacked'
	$(say) CONFIGURE 'about a minute or two; log: $(work)/configure.log'
	{ CFLAGS=-O2 CXXFLAGS=-O2 ../source/configure --prefix=$(home) $(options); } $(call logged,$(work)/configure.log)
	grep -q 'OPAL_CUDA_SUPPORT 1' opal/include/opal_config.h || fail 'configure found no CUDA; see $(work)/build/config.log'

$(home)/bin/mpicc: $(work)/build/config.status
	@$(fail)
	$(say) COMPILE '$(JOBS) at a time, 5 to 20 minutes; log: $(work)/make.log'
	$(MAKE) -C $(work)/build -j$(JOBS) $(call logged,$(work)/make.log)
	$(say) INSTALL '$(home)'
	$(MAKE) -C $(work)/build install $(call logged,$(work)/install.log)
	rm -f $(home)/bin/{mpifort,mpif77,mpif90} # without Fortran they are there, but do not work
	echo 'opal_warn_on_missing_libcuda = 0' >> $(home)/etc/openmpi-mca-params.conf
	$(home)/bin/ompi_info --parsable --all | grep 'mpi_built_with_cuda_support:value:true' >/dev/null \
	    || fail 'what was built does not take GPU pointers'
	rm -rf $(work)
