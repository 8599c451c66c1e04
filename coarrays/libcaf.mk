# libcaf.mk: what rules.mk does not know: libcaf_datamotion for users, the same with accelerated coarrays, the compiler
# wrapper, and the Fortran kernels of the benchmarks, linked with every coarray library there is. Included by the Makefile.

# make's own default for FC is f77. Some systems have GNU Fortran under its version's name alone. How versions after 16
# call coarray libraries is not known: with such a compiler what needs Fortran is left out.
ifneq ($(filter default undefined,$(origin FC)),)
  FC := $(shell for name in gfortran gfortran-16 gfortran-15 gfortran-14 gfortran-13 gfortran-12; do \
          version=$$($$name -dumpversion 2>/dev/null) && [ "$${version%%.*}" -le 16 ] && echo $$name && break; done)
endif
FORTRAN_VERSION := $(if $(FC),$(shell $(FC) -dumpversion 2>/dev/null | cut -d. -f1))
HAVE_FORTRAN  := $(if $(call have,fortran),$(shell [ "$(FORTRAN_VERSION)" -le 16 ] 2>/dev/null && echo $(FC)))
# What 16 calls with other arguments (gfortran/calls_16.c).
CALLS_16      := $(if $(filter 16,$(FORTRAN_VERSION)),$(shell gfortran/caf --link-options-of 16))
# Of the same MPI as MPICC: mpicc.mpich has an mpifort.mpich beside it.
MPIFORT       ?= $(filter-out ./,$(dir $(MPICC)))$(subst mpicc,mpifort,$(notdir $(MPICC)))
export OMPI_FC := $(FC)
export MPICH_FC := $(FC)
# An mpifort may be there without the modules of this compiler; $(shell) does not see what is exported.
HAVE_MPI_F    := $(if $(HAVE_FORTRAN),$(shell printf 'use mpi_f08\nend\n' | OMPI_FC=$(FC) MPICH_FC=$(FC) $(MPIFORT) -x f95 -fsyntax-only - 2>/dev/null && echo $(MPIFORT)))
OPENCOARRAYS  := $(if $(and $(HAVE_FORTRAN),$(call have,caf)),$(wildcard $(shell $(FC) -print-file-name=libcaf_$(MPI_KIND).so)))
KERNELS       := $(OUT)/lib/coarrays
F_FLAGS       := -std=f2018 $(OPTIMIZE) -Wall -Werror -fPIC
# Undefined procedures are found when linking, not when measuring.
SHARED        := -shared -Wl,-Bsymbolic -Wl,-z,defs

# ---- libcaf_datamotion: the names of the library's inside are hidden from the programs of its users ----

# Object, its parts, the names that stay visible.
define one_object
$(Q)ld -r -o $(1) $(2)
$(Q)objcopy --wildcard $(foreach names,$(3),--keep-global-symbol='$(names)') $(1)
endef

# How errors are reported: error*.c is inside; status.c is a member of its own, which a program that links
# libdatamotion-common, too, has once.
common_objects := $(addprefix $(OUT)/obj/common/,error.c.o error_mpi.c.o)
status_object  := $(OUT)/obj/common/status.c.o
$(common_objects) $(status_object): $(OUT)/lib/libcommon.a ;

core_objects := $(addprefix $(OBJ)/,$(addsuffix .o,$(library) $(wildcard gfortran/*.c)))
$(OUT)/lib/libcaf_datamotion.a: $(core_objects) $(common_objects) $(status_object)
	$(call say,AR,$(@F))
	$(make_folder)
	$(call one_object,$(OBJ)/libcaf_datamotion.o,$(core_objects) $(common_objects),caf_* _gfortran_caf_* __wrap__gfortran_caf_*)
	$(Q)rm -f $@ && ar rcs $@ $(OBJ)/libcaf_datamotion.o $(status_object)

$(BIN)/caf $(BIN)/cafrun: $(BIN)/%: gfortran/%
	$(call say,COPY,$(@F))
	$(make_folder)
	$(Q)install -m 755 $< $@

all: $(OUT)/lib/libcaf_datamotion.a $(BIN)/caf $(BIN)/cafrun

# ---- the same with accelerated coarrays: for `caf --accelerated` ----

include ../common/soft/modules.mk

# The GPU is not in it, as the program's kernels need the same one.
accelerated_objects := $(patsubst %,$(OBJ)/%.o,$(wildcard hetero/accelerated*.c))
accelerated_common  := $(common_objects) $(OUT)/obj/common/error_cuda.c.o
accelerated_module  := $(OBJ)/hetero/accelerated.f90.o

# The folder of the library is known to `caf` alone.
accelerated_gpu := $(if $(filter soft,$(GPU)),-lsoftcuda,-L$(CUDA_HOME)/lib64 -lcudart_static -lrt -ldl -lpthread)

$(OUT)/obj/common/error_cuda.c.o: $(OUT)/lib/libcommon.a ;

$(OUT)/include/accelerated.mod: $(accelerated_module) ;
$(accelerated_module): hetero/accelerated.f90 $(object_depends) libcaf.mk
	$(call say,FC,$(directory)/$<)
	@mkdir -p $(@D) $(OUT)/include
	$(Q)$(FC) $(F_FLAGS) -J$(OUT)/include -c $< -o $@

$(OUT)/lib/libcaf_accelerated.a: $(core_objects) $(accelerated_objects) $(accelerated_common) $(status_object) $(accelerated_module)
	$(call say,AR,$(@F))
	$(make_folder)
	$(call one_object,$(OBJ)/libcaf_accelerated.o,$(filter-out %.f90.o $(status_object),$^),caf_* _gfortran_caf_* __wrap__gfortran_caf_* $(addprefix accelerated_,allocate free memory get put sync))
	$(Q)rm -f $@ && ar rcs $@ $(OBJ)/libcaf_accelerated.o $(status_object) $(accelerated_module)

$(OUT)/lib/libcaf_accelerated.flags: $(object_depends) libcaf.mk $(driver_library)
	$(make_folder)
	$(Q)echo '$(accelerated_gpu)' > $@

# ---- Fortran kernels ----

coarray_sources := $(wildcard bench/*_coarray.f90)
mpi_sources     := $(wildcard bench/*_mpi.f90)
# What is also measured without optimization.
plain_sources   := $(wildcard bench/burgers_coarray.f90)
coarray_objects := $(coarray_sources:%=$(OBJ)/%.o)
mpi_objects     := $(mpi_sources:%=$(OBJ)/%.o)
plain_objects   := $(plain_sources:%=$(OBJ)/O0/%.o)
# Texts that the versions of a kernel share.
fortran_depends := $(object_depends) libcaf.mk $(wildcard bench/*.inc)

$(OBJ)/%_coarray.f90.o: %_coarray.f90 $(fortran_depends)
	$(call say,FC,$(directory)/$<)
	$(make_folder)
	$(Q)$(FC) $(F_FLAGS) -fcoarray=lib -J$(@D) -c $< -o $@
$(OBJ)/O0/%_coarray.f90.o: %_coarray.f90 $(fortran_depends)
	$(call say,FC,$(directory)/$< -O0)
	$(make_folder)
	$(Q)$(FC) $(F_FLAGS) -O0 -fcoarray=lib -J$(@D) -c $< -o $@
$(OBJ)/%_mpi.f90.o: %_mpi.f90 $(fortran_depends)
	$(call say,FC,$(directory)/$<)
	$(make_folder)
	$(Q)$(MPIFORT) $(F_FLAGS) -J$(@D) -c $< -o $@

$(KERNELS)/kernels_datamotion.so: $(coarray_objects) $(OUT)/lib/libcaf_datamotion.a
	$(call say,LINK,$(@F))
	$(make_folder)
	$(Q)$(FC) $(SHARED) $(CALLS_16) -o $@ $^ $(MPI_LIBS) -ldl -lpthread -lm
$(KERNELS)/unoptimized_datamotion.so: $(plain_objects) $(OUT)/lib/libcaf_datamotion.a
	$(call say,LINK,$(@F))
	$(make_folder)
	$(Q)$(FC) $(SHARED) $(CALLS_16) -o $@ $^ $(MPI_LIBS) -ldl -lpthread -lm
# Other instances of the library in the same process: the loader tells files apart.
$(KERNELS)/%_libcaf-mpi.so $(KERNELS)/%_element.so $(KERNELS)/%_ucx.so: $(KERNELS)/%_datamotion.so
	$(Q)cp $< $(KERNELS)/$*_libcaf-mpi.so
	$(Q)cp $< $(KERNELS)/$*_element.so
	$(Q)cp $< $(KERNELS)/$*_ucx.so
$(KERNELS)/kernels_opencoarrays.so: $(coarray_objects)
	$(call say,LINK,$(@F))
	$(make_folder)
	$(Q)$(FC) $(SHARED) -o $@ $^ $(OPENCOARRAYS) $(MPI_LIBS)
$(KERNELS)/unoptimized_opencoarrays.so: $(plain_objects)
	$(call say,LINK,$(@F))
	$(make_folder)
	$(Q)$(FC) $(SHARED) -o $@ $^ $(OPENCOARRAYS) $(MPI_LIBS)
$(KERNELS)/kernels_mpi.so: $(mpi_objects)
	$(call say,LINK,$(@F))
	$(make_folder)
	$(Q)$(MPIFORT) $(SHARED) -o $@ $^

# With a sanitizer only the C side is built.
ifeq ($(SANITIZE),)
  ifneq ($(HAVE_FORTRAN),)
    all: $(addprefix $(OUT)/lib/libcaf_accelerated.,a flags) $(OUT)/include/accelerated.mod
    ifneq ($(coarray_sources),)
      groups := kernels $(if $(plain_sources),unoptimized)
      all: $(foreach group,$(groups),$(foreach variant,datamotion libcaf-mpi element $(if $(call have,ucx),ucx) $(if $(OPENCOARRAYS),opencoarrays),$(KERNELS)/$(group)_$(variant).so))
    endif
    ifneq ($(and $(HAVE_MPI_F),$(mpi_sources)),)
      all: $(KERNELS)/kernels_mpi.so
    endif
  endif
endif
