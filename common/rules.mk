# rules.mk: how every directory is built. A directory's Makefile sets
#   library   sources (.c, .cu) of lib<directory>.a
#   programs  one source <program>.c each, linked with the library (path without the ending)
#   mpi       those of the programs that need MPI
#   uses      other mechanism directories whose libraries are linked
#   libs      linker flags beyond the common ones
#   flags     compiler flags of C files beyond the common ones
#   early     of a program: what is linked before the libraries
# and includes this file.

# Relative, so that a moved or copied tree needs no new build.
ROOT      := ..
directory := $(notdir $(CURDIR))
include $(ROOT)/config.mk

VERSION := 0.1.0
CONFIG  := $(GPU)$(if $(SANITIZE),-$(SANITIZE))
OUT     := $(ROOT)/build/$(CONFIG)
OBJ     := $(OUT)/obj/$(directory)
BIN     ?= $(OUT)/bin
Q       := $(if $(filter 1,$(V)),,@)
comma   := ,
say      = $(if $(Q),@printf '  %-8s %s\n' $(1) $(2),@:)

ifeq ($(GPU),cuda)
  ifeq ($(shell command -v $(NVCC) 2>/dev/null),)
    $(error there is no $(NVCC): load the CUDA module, set CUDA_HOME, or build with GPU=soft)
  endif
  GPU_FLAGS   := -isystem $(CUDA_HOME)/include
  GPU_LIBS    := -L$(CUDA_HOME)/lib64 -lcudart_static -lrt -ldl -lpthread -lm
  CU_COMPILER := $(NVCC)
  CU_FLAGS    := -std=c++17 $(or $(filter -O0 -O1 -O2,$(OPTIMIZE)),-O3) -lineinfo \
                 $(if $(filter -O0,$(OPTIMIZE)),-Xptxas -O0) -Werror all-warnings -Xcompiler -Wall,-Wextra,-fPIC \
                 $(foreach sm,$(SM),-gencode arch=compute_$(sm),code=sm_$(sm)) \
                 -gencode arch=compute_$(lastword $(SM)),code=compute_$(lastword $(SM))
else ifeq ($(GPU),soft)
  GPU_FLAGS   := -DSOFTGPU -I$(ROOT)/common/soft
  GPU_LIBS    := -lboost_context -lrt -lpthread -lm
  CU_COMPILER := $(CXX)
  CU_FLAGS    := -x c++ -std=c++17 $(OPTIMIZE) -Wall -Wextra -Werror -pthread -fPIC
else
  $(error GPU=$(GPU) is neither cuda nor soft)
endif

ifeq ($(SANITIZE),address)
  SANITIZER_FLAGS := -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer -O1
else ifeq ($(SANITIZE),thread)
  SANITIZER_FLAGS := -fsanitize=thread --param tsan-distinguish-volatile=1 -fno-omit-frame-pointer -O1
else ifneq ($(SANITIZE),)
  $(error SANITIZE=$(SANITIZE) is neither address nor thread)
endif
ifeq ($(GPU),soft)
  CU_FLAGS += $(SANITIZER_FLAGS)
endif

HAVE_MPI  := $(shell command -v $(MPICC) 2>/dev/null)
MPI_FLAGS := $(if $(HAVE_MPI),$(patsubst -I%,-isystem %,$(shell $(MPICC) --showme:compile 2>/dev/null)))
MPI_LIBS  := $(if $(HAVE_MPI),$(shell $(MPICC) --showme:link 2>/dev/null))

INCLUDES := -I$(ROOT)/common $(foreach other,$(uses),-I$(ROOT)/$(other)) $(GPU_FLAGS)
C_FLAGS  := -std=c11 -D_GNU_SOURCE $(OPTIMIZE) -Wall -Wextra -Werror -pthread -fPIC $(SANITIZER_FLAGS) $(flags)

library_objects := $(addprefix $(OBJ)/,$(addsuffix .o,$(library)))
library_file    := $(OUT)/lib/lib$(directory).a
other_libraries := $(foreach other,$(filter-out $(directory),$(uses) common),$(OUT)/lib/lib$(other).a)
program_files   := $(addprefix $(BIN)/,$(notdir $(if $(HAVE_MPI),$(programs),$(filter-out $(mpi),$(programs)))))

.DELETE_ON_ERROR:
.SECONDARY:
.PHONY: all library FORCE
all: library $(program_files)
library: $(library_file)

# ---- objects: they depend on their Makefiles and on the flags ----

FLAGS_STAMP := $(OBJ)/flags
FLAGS_NOW   := $(CC) $(CXX) $(CU_COMPILER) $(C_FLAGS) $(CU_FLAGS) $(INCLUDES) $(MPI_FLAGS)
$(FLAGS_STAMP): FORCE
	@mkdir -p $(@D)
	@echo '$(FLAGS_NOW)' | cmp -s - $@ || echo '$(FLAGS_NOW)' > $@
object_depends := $(FLAGS_STAMP) Makefile $(ROOT)/common/rules.mk

$(OBJ)/%.c.o: %.c $(object_depends)
	$(call say,CC,$(directory)/$<)
	@mkdir -p $(@D)
	$(Q)$(CC) $(C_FLAGS) $(INCLUDES) $(MPI_FLAGS) -MMD -MP -c $< -o $@

$(OBJ)/%.cu.o: %.cu $(object_depends)
	$(call say,$(if $(filter cuda,$(GPU)),NVCC,CU),$(directory)/$<)
	@mkdir -p $(@D)
	$(Q)$(CU_COMPILER) $(CU_FLAGS) $(INCLUDES) -MMD -MP -MF $(@:.o=.d) -c $< -o $@

-include $(shell find $(OBJ) -name '*.d' 2>/dev/null)

# ---- libraries ----

$(OUT)/lib/lib$(directory).a: $(library_objects)
	$(call say,AR,$(@F))
	@mkdir -p $(@D)
	$(Q)rm -f $@ && ar rcs $@ $^

ifneq ($(directory),common)
$(OUT)/lib/lib%.a: FORCE
	@$(MAKE) --no-print-directory -C $(ROOT)/$* library
endif

# ---- programs; the commit is stamped when a program is linked ----

# OpenBLAS and, with a GPU, cuBLAS: for directories that name $(BLAS) in libs (as `libs = $(BLAS)`, read when linking).
BLAS := -lopenblas $(if $(filter cuda,$(GPU)),-L$(CUDA_HOME)/lib64 -Wl$(comma)-rpath$(comma)$(CUDA_HOME)/lib64 -lcublas)

# Libraries may need one another in any order.
link_libs = -Wl,--start-group $(library_file) $(other_libraries) -Wl,--end-group $(libs) $(if $(filter $(mpi),$(1)),$(MPI_LIBS)) $(GPU_LIBS)
git_commit := $(if $(COMMIT),echo $(COMMIT),git -C $(ROOT) rev-parse --short=12 HEAD 2>/dev/null || echo unknown)
# Who names the commit of a copy vouches that it is that commit.
git_dirty  := $(if $(COMMIT),echo false,git -C $(ROOT) status --porcelain --untracked-files=no 2>/dev/null | grep -q . && echo true || echo false)

define program_rule
$(BIN)/$(notdir $(1)): $(OBJ)/$(1)$(suffix $(wildcard $(1).c $(1).cu)).o $(library_file) $(other_libraries)
	$$(call say,LINK,$$(@F))
	@mkdir -p $$(@D)
	$$(Q)$(CC) $(C_FLAGS) -DVERSION='"$(VERSION)"' -DCOMMIT="\"$$$$($(git_commit))\"" \
	    -DDIRTY="$$$$($(git_dirty))" -c $(ROOT)/common/version.c -o $(OBJ)/$(1).version.o
	$$(Q)$(CXX) $(SANITIZER_FLAGS) -pthread -o $$@ $$< $(OBJ)/$(1).version.o $$(early) $$(call link_libs,$(1))
endef
$(foreach program,$(programs),$(eval $(call program_rule,$(program))))
