# rules.mk: how every directory is built. A directory's Makefile sets
#   library   sources (.c, .cu) of the mechanism
#   bench     sources that only its programs and tests use
#   programs  one source <program>.c each, linked with both (path without the ending)
#   mpi       those of the programs that need MPI
#   needs     libraries (names of setup.d/libraries) that all of it is compiled or linked with: without one nothing is built here
#   needs_PROGRAM  what one program also needs; `make left-out` prints what is not built, and for want of what
#   uses      other mechanism directories whose libraries are linked
#   libs      linker flags beyond the common ones
#   flags     compiler flags of C files beyond the common ones
#   early     of a program: what is linked before the libraries
#   untested  C tests (names without folder and ending) that cannot be built here
#   test_libs linker flags of C tests beyond libs
# and, if include/datamotion/ has headers, for the library that other people link:
#   summary   one sentence for pkg-config
#   exports   patterns of the names that it exports (default: <directory>_*)
#   requires  pkg-config packages that it needs
#   links     linker flags of the shared library, where they are not those of libs
# and includes this file.

# Relative, so that a moved or copied tree needs no new build.
ROOT      := ..
directory := $(notdir $(CURDIR))
include $(ROOT)/common/libraries.mk

VERSION := 0.1.0
CONFIG  := $(GPU)$(if $(SANITIZE),-$(SANITIZE))
OUT     := $(ROOT)/build/$(CONFIG)
OBJ     := $(OUT)/obj/$(directory)
BIN     ?= $(OUT)/bin
Q       := $(if $(filter 1,$(V)),,@)
comma   := ,
# What every recipe does starts no process: there are a thousand of them.
say         = $(if $(Q),$(info $(gap)$(gap)$(1)$(tab) $(gap)$(gap)$(2)))
gap        := $() $()
tab        := $()	$()
make_folder = $(if $(wildcard $(@D)/.),,@mkdir -p $(@D))

ifeq ($(GPU),cuda)
  ifeq ($(shell command -v $(NVCC) 2>/dev/null),)
    $(error there is no $(NVCC): load the CUDA module, set CUDA_HOME, or build with GPU=soft)
  endif
  GPU_FLAGS   := -isystem $(CUDA_HOME)/include
  GPU_LIBS    := -L$(CUDA_HOME)/lib64 -lcudart_static -lrt -ldl -lpthread -lm
  CU_COMPILER := $(NVCC)
  # Where this compiler has it (since CUDA 12.9).
  fast_compile := $(if $(filter -O0,$(OPTIMIZE)),$(if $(findstring --Ofast-compile,$(shell $(NVCC) --help)),--Ofast-compile max))
  CU_FLAGS    := -std=c++17 $(or $(filter -O0 -O1 -O2,$(OPTIMIZE)),-O3) -lineinfo \
                 $(if $(filter -O0,$(OPTIMIZE)),-Xptxas -O0) $(fast_compile) -Werror all-warnings -Xcompiler -Wall,-Wextra,-fPIC \
                 $(foreach sm,$(SM),-gencode arch=compute_$(sm),code=sm_$(sm)) \
                 -gencode arch=compute_$(lastword $(SM)),code=compute_$(lastword $(SM))
else ifeq ($(GPU),soft)
  GPU_FLAGS   := -DSOFTGPU -I$(ROOT)/common/soft/include
  GPU_LIBS    := -lboost_context -lrt -lpthread -lm
  CU_COMPILER := $(CXX)
  CU_FLAGS    := -x c++ -std=c++17 $(OPTIMIZE) -Wall -Wextra -Werror -pthread -fPIC
else
  $(error GPU=$(GPU) is neither cuda nor soft)
endif

# Programs find the libraries of ./setup --prefix by themselves, and these one another: RPATH holds for what they load, too.
# Beside them where the tree lies, so that it can be copied; where it lay, so that programs can be installed.
ifneq ($(wildcard $(DEPS)/shell),)
  deps_roots := $(if $(filter $(ROOT)/build/deps,$(DEPS)),'$$ORIGIN/../../deps') $(abspath $(DEPS))
  GPU_LIBS   += -Wl,--disable-new-dtags $(patsubst %,-Wl$(comma)-rpath$(comma)%/usr/lib/$(shell $(CC) -print-multiarch),$(deps_roots))
endif

# GCC says by a macro which sanitizer it compiles for; clang does not before version 22, and knows LLVM's OpenMP alone.
clang := $(if $(SANITIZE),$(findstring clang,$(shell $(CC) --version 2>/dev/null)))
OPENMP := $(if $(clang),-fopenmp,-lgomp)
ifeq ($(SANITIZE),address)
  SANITIZER_FLAGS := -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer -O1 \
                     $(if $(clang),-D__SANITIZE_ADDRESS__=1)
else ifeq ($(SANITIZE),thread)
  SANITIZER_FLAGS := -fsanitize=thread -fno-omit-frame-pointer -O1 \
                     $(if $(clang),-D__SANITIZE_THREAD__=1 -mllvm -tsan-distinguish-volatile=1,--param tsan-distinguish-volatile=1)
else ifneq ($(SANITIZE),)
  $(error SANITIZE=$(SANITIZE) is neither address nor thread)
endif
SANITIZER_FLAGS += $(if $(clang),-Wno-unused-command-line-argument -Wno-gnu-variable-sized-type-not-at-end -Wno-return-type-c-linkage)
ifeq ($(GPU),soft)
  CU_FLAGS += $(SANITIZER_FLAGS)
endif

# ---- what is not built, as a library is not here ----

needs        += $(if $(filter soft,$(GPU)),boost)
all_programs := $(programs)
# What a program lacks.
lacks = $(filter-out $(HAVE),$(sort $(needs) $(needs_$(notdir $(1))) $(if $(filter $(mpi),$(1)),mpi)))
left_out := $(foreach program,$(programs),$(if $(call lacks,$(program)),$(program)))
programs := $(filter-out $(left_out),$(programs))
ifneq ($(filter-out $(HAVE),$(needs)),)
  library  :=
  bench    :=
  untested := %
endif

HAVE_MPI  := $(call have,mpi)
# Open MPI's wrapper says it by --showme, MPICH's with the name of the compiler in front.
mpi_says   = $(if $(HAVE_MPI),$(or $(shell $(MPICC) --showme:$(1) 2>/dev/null),$(filter -I% -D% -L% -l% -Wl%,$(shell $(MPICC) -$(1)_info 2>/dev/null))))
MPI_FLAGS := $(patsubst -I%,-isystem %,$(call mpi_says,compile))
MPI_KIND  := $(if $(HAVE_MPI),$(if $(filter MPICH MVAPICH%,$(shell $(MPICC) -v 2>/dev/null)),mpich,openmpi))
# MPICH's MPI_STATUSES_IGNORE is the address 1, which GCC takes for an array without elements.
MPI_FLAGS += $(if $(filter mpich,$(MPI_KIND)),-Wno-stringop-overflow)
MPI_LIBS  := $(call mpi_says,link)

# Sources name files of other folders by their path from the root: "common/clock.h"; public headers are
# <datamotion/NAME.h>, as they are for whoever installs them.
INCLUDES := -I$(ROOT) $(addprefix -I,$(wildcard $(ROOT)/*/include)) $(GPU_FLAGS)
# -Wformat-security is on by default in Ubuntu's GCC.
C_FLAGS  := -std=c11 -D_GNU_SOURCE $(OPTIMIZE) -Wall -Wextra -Wformat-security -Werror -pthread -fPIC $(SANITIZER_FLAGS) $(flags)

library_objects := $(addprefix $(OBJ)/,$(addsuffix .o,$(library)))
bench_objects   := $(addprefix $(OBJ)/,$(addsuffix .o,$(bench)))
library_file    := $(OUT)/lib/lib$(directory).a
other_libraries := $(foreach other,$(filter-out $(directory),$(uses) common),$(OUT)/lib/lib$(other).a)
program_files   := $(addprefix $(BIN)/,$(notdir $(programs)))

.DELETE_ON_ERROR:
.SECONDARY:
.PHONY: all library tests test sources left-out FORCE
all: library $(program_files)
	@:
library: $(library_file)

# Lines of a program and what it lacks, for run/experiment and for make's last words.
left-out:
	@$(foreach program,$(left_out),echo '$(directory) $(notdir $(program)) $(call lacks,$(program))';) :

# What the library and what the programs are made of: tests/suite_structure.bats.
sources:
	@printf 'library %s\n' $(library); printf 'bench %s\n' $(bench); printf 'uses %s\n' $(filter-out $(directory),$(uses))

# What other people link is there where a directory has public headers; a sanitizer's build is for tests alone.
public_headers := $(wildcard include/datamotion/*.h)
ifneq ($(and $(public_headers),$(library),$(if $(SANITIZE),,yes)),)
  C_FLAGS  += -fvisibility=hidden
  CU_FLAGS += $(if $(filter cuda,$(GPU)),-Xcompiler )-fvisibility=hidden
  library: $(OUT)/lib/libdatamotion-$(directory).so $(OUT)/lib/libdatamotion-$(directory).a $(OUT)/lib/pkgconfig/datamotion-$(directory).pc
endif

# ---- objects: they depend on their Makefiles and on the flags ----

FLAGS_STAMP := $(OBJ)/flags
FLAGS_NOW   := $(CC) $(CXX) $(CU_COMPILER) $(C_FLAGS) $(CU_FLAGS) $(INCLUDES) $(MPI_FLAGS)
$(FLAGS_STAMP): FORCE
	$(make_folder)
	@echo '$(FLAGS_NOW)' | cmp -s - $@ || echo '$(FLAGS_NOW)' > $@
object_depends := $(FLAGS_STAMP) Makefile $(ROOT)/common/rules.mk

$(OBJ)/%.c.o: %.c $(object_depends)
	$(call say,CC,$(directory)/$<)
	$(make_folder)
	$(Q)$(CC) $(C_FLAGS) $(INCLUDES) $(MPI_FLAGS) -MMD -MP -c $< -o $@

$(OBJ)/%.cu.o: %.cu $(object_depends)
	$(call say,$(if $(filter cuda,$(GPU)),NVCC,CU),$(directory)/$<)
	$(make_folder)
	$(Q)$(CU_COMPILER) $(CU_FLAGS) $(INCLUDES) -MMD -MP -MF $(@:.o=.d) -c $< -o $@

-include $(shell find $(OBJ) -name '*.d' 2>/dev/null)

# ---- libraries for the programs and tests of this tree: all names are visible ----

$(OUT)/lib/lib$(directory).a: $(library_objects) $(bench_objects)
	$(call say,AR,$(@F))
	$(make_folder)
	$(Q)rm -f $@ && ar rcs $@ $^

ifneq ($(directory),common)
$(OUT)/lib/lib%.a: FORCE
	@$(MAKE) --no-print-directory -C $(ROOT)/$* library
# By the Makefile of the root, which calls this one.
ifneq ($(COMMON_IS_MADE),)
$(OUT)/lib/libcommon.a: ;
endif
# First, as the others build it too where it is missing.
$(filter-out %/libcommon.a,$(other_libraries)): | $(OUT)/lib/libcommon.a
# Made together with libcommon.a.
$(addprefix $(OUT)/lib/,libbase.a libdatamotion-common.so libsoftcuda.so): $(OUT)/lib/libcommon.a ;
endif

# ---- libraries for others: libdatamotion-<directory>, of which only the public names are visible ----

exports        ?= $(directory)_*
links          ?= $(libs)
public_objects ?= $(library_objects)
linked         := $(OUT)/lib/libdatamotion-$(directory)
SONAME_VERSION := $(firstword $(subst ., ,$(VERSION)))
base_library   := $(if $(filter common,$(directory)),,$(OUT)/lib/libbase.a)
shared_gpu     := $(if $(filter soft,$(GPU)),-lsoftcuda,-L$(CUDA_HOME)/lib64 -lcudart -Wl$(comma)-rpath$(comma)$(CUDA_HOME)/lib64)

$(linked).so: $(public_objects) $(base_library) $(if $(base_library),$(OUT)/lib/libdatamotion-common.so)
	$(call say,LINK,$(@F))
	@mkdir -p $(@D) $(OBJ)
	@echo 'DATAMOTION_$(SONAME_VERSION) { global: $(addsuffix ;,$(exports)) local: *; };' > $(OBJ)/exports
	$(Q)$(CXX) -shared -pthread -Wl,-soname,$(@F).$(SONAME_VERSION) -Wl,--version-script,$(OBJ)/exports -Wl,-z,defs \
	    -Wl,--as-needed -Wl,--exclude-libs,ALL -Wl,-rpath,'$$ORIGIN' -o $@.$(VERSION) $(public_objects) -L$(OUT)/lib \
	    $(if $(base_library),-ldatamotion-common $(base_library)) $(links) $(if $(with_mpi),$(MPI_LIBS)) $(shared_gpu) -lm -ldl
	$(Q)ln -sf $(@F).$(VERSION) $@.$(SONAME_VERSION) && ln -sf $(@F).$(VERSION) $@

# One object, in which the names of the inside are local: they meet no names of the program's.
$(linked).a: $(public_objects) $(base_library)
	$(call say,AR,$(@F))
	$(make_folder)
	$(Q)ld -r --force-group-allocation -o $(OBJ)/public.o $^
	$(Q)objcopy --localize-hidden $(OBJ)/public.o
	$(Q)rm -f $@ && ar rcs $@ $(OBJ)/public.o

# The folders become those of the installation (common/install).
$(OUT)/lib/pkgconfig/datamotion-$(directory).pc: Makefile $(ROOT)/common/rules.mk
	$(make_folder)
	@printf '%s\n' 'prefix=@PREFIX@' 'libdir=$${prefix}/lib' 'includedir=$${prefix}/include' '' \
	    'Name: datamotion-$(directory)' 'Description: $(summary)' 'Version: $(VERSION)' \
	    'Requires: $(requires)' 'Cflags: -I$${includedir}' \
	    'Libs: -L$${libdir} -Wl,-rpath,$${libdir} -ldatamotion-$(directory)' 'Libs.private: $(links) -lstdc++ -lm' > $@

# ---- programs; the commit is stamped when a program is linked ----

# OpenBLAS and, with a GPU, cuBLAS: for directories that name $(BLAS) in libs (as `libs = $(BLAS)`, read when linking).
BLAS := $(if $(call have,openblas),-lopenblas) $(if $(filter cuda,$(GPU)),-L$(CUDA_HOME)/lib64 -Wl$(comma)-rpath$(comma)$(CUDA_HOME)/lib64 -lcublas)

# Libraries may need one another in any order.
link_libs = -Wl,--start-group $(library_file) $(other_libraries) -Wl,--end-group $(libs) $(if $(filter $(mpi),$(1)),$(MPI_LIBS)) $(GPU_LIBS)
git_commit := $(if $(COMMIT),echo $(COMMIT),git -C $(ROOT) rev-parse --short=12 HEAD 2>/dev/null || echo unknown)
# Who names the commit of a copy vouches that it is that commit.
git_dirty  := $(if $(COMMIT),echo false,git -C $(ROOT) status --porcelain --untracked-files=no 2>/dev/null | grep -q . && echo true || echo false)

# Of sources as they are, committed or not.
source_hash := find $(sort $(CURDIR) $(foreach other,common $(uses),$(CURDIR)/$(ROOT)/$(other))) -name '*.[ch]' -o -name '*.cu' -o -name '*.cpp' | \
               LC_ALL=C sort | xargs cat | sha256sum | cut -c1-16

# What the first link of this make finds out holds for the others, too.
once   = $(if $(filter undefined,$(origin $(1)_said)),$(eval $(1)_said := $(shell $($(1)))))$($(1)_said)
stamps = -DVERSION='"$(VERSION)"' -DCOMMIT='"$(call once,git_commit)"' -DDIRTY=$(call once,git_dirty) -DSOURCES='"$(call once,source_hash)"'

# The quick linker takes a third of the time. Programs for a GPU that are measured are linked by the usual one.
quick_link   := $(if $(shell command -v ld.gold),-fuse-ld=gold)
program_link := $(if $(filter soft,$(GPU))$(filter -O0,$(OPTIMIZE)),$(quick_link))

define program_rule
$(BIN)/$(notdir $(1)): $(OBJ)/$(1)$(suffix $(wildcard $(1).c $(1).cu)).o $(library_file) $(other_libraries)
	$$(call say,LINK,$$(@F))
	$$(make_folder)
	$$(Q)$(CC) $(C_FLAGS) $$(stamps) -c $(ROOT)/common/harness/version.c -o $(OBJ)/$(1).version.o
	$$(Q)$(CXX) $(SANITIZER_FLAGS) $(program_link) -pthread -o $$@ $$< $(OBJ)/$(1).version.o $$(early) $$(call link_libs,$(1))
endef
$(foreach program,$(programs),$(eval $(call program_rule,$(program))))

# ---- C tests: each tests/unit/<directory>/NAME_test.c is one program. Like NAME_fuzz.c it is compiled and linked in
# half the time of what is measured ----

TESTS     := $(ROOT)/tests/unit/$(directory)
TEST_BIN  := $(OUT)/test
tested    := $(filter-out $(untested) $(if $(HAVE_MPI),,%ranks_test),$(basename $(notdir $(wildcard $(TESTS)/*_test.c $(TESTS)/*_test.cu $(TESTS)/*_fuzz.c))))
quick      = $(patsubst -O%,-O1,$(1))

$(OBJ)/test/%.c.o: $(TESTS)/%.c $(object_depends)
	$(call say,CC,tests/unit/$(directory)/$*.c)
	$(make_folder)
	$(Q)$(CC) $(call quick,$(C_FLAGS)) $(INCLUDES) $(MPI_FLAGS) -MMD -MP -c $< -o $@
$(OBJ)/test/%.cu.o: $(TESTS)/%.cu $(object_depends)
	$(call say,$(if $(filter cuda,$(GPU)),NVCC,CU),tests/unit/$(directory)/$*.cu)
	$(make_folder)
	$(Q)$(CU_COMPILER) $(call quick,$(CU_FLAGS)) $(INCLUDES) -MMD -MP -MF $(@:.o=.d) -c $< -o $@
$(OBJ)/test/version.o: $(ROOT)/common/harness/version.c $(object_depends)
	$(make_folder)
	$(Q)$(CC) $(C_FLAGS) -DVERSION='"$(VERSION)"' -DCOMMIT='"test"' -DDIRTY=false -DSOURCES='"test"' -c $< -o $@

define test_rule
$(TEST_BIN)/$(1): $(OBJ)/test/$(1)$(suffix $(wildcard $(TESTS)/$(1).c $(TESTS)/$(1).cu)).o $(OBJ)/test/version.o $(library_file) $(other_libraries)
	$$(call say,LINK,$$(@F))
	$$(make_folder)
	$$(Q)$(CXX) $(SANITIZER_FLAGS) $(quick_link) -pthread -o $$@ $$< $(OBJ)/test/version.o $$(early) $$(call link_libs,) $$(test_libs) $(if $(filter %ranks_test,$(1)),$(MPI_LIBS))
endef
$(foreach test,$(tested),$(eval $(call test_rule,$(test))))

tests: $(addprefix $(TEST_BIN)/,$(tested))
test: all tests
	@$(ROOT)/tests/run $(directory)
