# modules.mk: kernel modules for CUDA's driver API, and the library that has that API. A Makefile
# includes it after rules.mk and writes for each file of kernels
#
#   $(eval $(call kernel_module,kernels/stencil.cu,$(OUT)/partition))
#
# which is the rule for $(OUT)/partition/stencil$(module_suffix): stencil.ptx with CUDA, a shared
# object stencil.so for the software GPU (README.md, "Driver API"). It also sets
#
#   driver_library  what a program that calls the driver API depends on (empty with CUDA)
#   driver_link     the linker flags for it. They come before the archives, because the software GPU
#                   must be in a program once, and behind an archive that interposes functions

ifeq ($(GPU),cuda)

module_suffix  := .ptx
driver_library :=
driver_link    := -L$(CUDA_HOME)/lib64/stubs -lcuda
lowest_sm      := $(firstword $(shell printf '%s\n' $(SM) | sort -n))

define kernel_module
$(2)/$(basename $(notdir $(1))).ptx: $(1) $$(object_depends) $$(ROOT)/common/soft/modules.mk
	$$(call say,PTX,$$(directory)/$$<)
	$$(make_folder)
	$$(Q)$$(NVCC) -ptx -std=c++17 -O3 -Werror all-warnings -arch=compute_$$(lowest_sm) $$< -o $$@
endef

else

module_suffix  := .so
driver_library := $(OUT)/lib/libsoftcuda.so
driver_link    := $(driver_library) -Wl,-rpath,'$$ORIGIN/../lib'
module_depends := $(addprefix $(ROOT)/common/soft/,modules.mk module-source)

# A module's variables are its own: -Bsymbolic, whatever the program has of the same name;
# -fno-gnu-unique, also when it is loaded twice.
define kernel_module
$(2)/$(basename $(notdir $(1))).so: $(1) $$(object_depends) $$(module_depends)
	$$(call say,MODULE,$$(directory)/$$<)
	@mkdir -p $$(@D) $$(OBJ)/modules
	$$(Q)CXX='$$(CXX)' $$(ROOT)/common/soft/module-source $$< > $$(OBJ)/modules/$$(@F).cc
	$$(Q)$$(CU_COMPILER) $$(CU_FLAGS) -fvisibility=default $$(INCLUDES) -fno-gnu-unique -I. -MMD -MP -MT $$@ \
	    -MF $$(OBJ)/modules/$$(@F).d -shared -Wl,-Bsymbolic $$(OBJ)/modules/$$(@F).cc -o $$@
endef

endif
