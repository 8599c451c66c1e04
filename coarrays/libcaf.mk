# libcaf.mk: what rules.mk does not know: libcaf_datamotion for users, the compiler wrapper, and the Fortran kernels of the
# benchmarks, linked with every coarray library there is. Included by the Makefile.

# make's own default for FC is f77. Some systems have GNU Fortran under its version's name alone. From 15 on its coarray
# calls are others.
ifneq ($(filter default undefined,$(origin FC)),)
  FC := $(notdir $(firstword $(foreach name,gfortran gfortran-14 gfortran-13 gfortran-12,$(shell command -v $(name) 2>/dev/null))))
endif
HAVE_FORTRAN  := $(if $(FC),$(shell command -v $(FC) 2>/dev/null))
MPIFORT       ?= $(if $(MPI_HOME),$(MPI_HOME)/bin/mpifort,mpifort)
HAVE_MPI_F    := $(if $(HAVE_FORTRAN),$(shell command -v $(MPIFORT) 2>/dev/null))
export OMPI_FC := $(FC)
OPENCOARRAYS  := $(if $(HAVE_FORTRAN),$(wildcard $(shell $(FC) -print-file-name=libcaf_openmpi.so)))
KERNELS       := $(OUT)/lib/coarrays
F_FLAGS       := -std=f2018 $(OPTIMIZE) -Wall -Werror -fPIC
# Undefined procedures are found when linking, not when measuring.
SHARED        := -shared -Wl,-Bsymbolic -Wl,-z,defs

# ---- libcaf_datamotion: the names of the library's inside are hidden from the programs of its users ----

core_objects := $(addprefix $(OBJ)/,$(addsuffix .o,$(core)))
$(OUT)/lib/libcaf_datamotion.a: $(core_objects)
	$(call say,AR,$(@F))
	@mkdir -p $(@D)
	$(Q)ld -r -o $(OBJ)/libcaf_datamotion.o $^
	$(Q)objcopy --wildcard --keep-global-symbol='caf_*' --keep-global-symbol='_gfortran_caf_*' $(OBJ)/libcaf_datamotion.o
	$(Q)rm -f $@ && ar rcs $@ $(OBJ)/libcaf_datamotion.o

$(BIN)/caf $(BIN)/cafrun: $(BIN)/%: gfortran/%
	$(call say,COPY,$(@F))
	@mkdir -p $(@D)
	$(Q)install -m 755 $< $@

all: $(OUT)/lib/libcaf_datamotion.a $(BIN)/caf $(BIN)/cafrun

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
	@mkdir -p $(@D)
	$(Q)$(FC) $(F_FLAGS) -fcoarray=lib -J$(@D) -c $< -o $@
$(OBJ)/O0/%_coarray.f90.o: %_coarray.f90 $(fortran_depends)
	$(call say,FC,$(directory)/$< -O0)
	@mkdir -p $(@D)
	$(Q)$(FC) $(F_FLAGS) -O0 -fcoarray=lib -J$(@D) -c $< -o $@
$(OBJ)/%_mpi.f90.o: %_mpi.f90 $(fortran_depends)
	$(call say,FC,$(directory)/$<)
	@mkdir -p $(@D)
	$(Q)$(MPIFORT) $(F_FLAGS) -J$(@D) -c $< -o $@

$(KERNELS)/kernels_datamotion.so: $(coarray_objects) $(OUT)/lib/libcaf_datamotion.a
	$(call say,LINK,$(@F))
	@mkdir -p $(@D)
	$(Q)$(FC) $(SHARED) -o $@ $^ $(MPI_LIBS) -lm
$(KERNELS)/unoptimized_datamotion.so: $(plain_objects) $(OUT)/lib/libcaf_datamotion.a
	$(call say,LINK,$(@F))
	@mkdir -p $(@D)
	$(Q)$(FC) $(SHARED) -o $@ $^ $(MPI_LIBS) -lm
# Other instances of the library in the same process: the loader tells files apart.
$(KERNELS)/%_libcaf-mpi.so $(KERNELS)/%_element.so: $(KERNELS)/%_datamotion.so
	$(Q)cp $< $(KERNELS)/$*_libcaf-mpi.so
	$(Q)cp $< $(KERNELS)/$*_element.so
$(KERNELS)/kernels_opencoarrays.so: $(coarray_objects)
	$(call say,LINK,$(@F))
	@mkdir -p $(@D)
	$(Q)$(FC) $(SHARED) -o $@ $^ $(OPENCOARRAYS) $(MPI_LIBS)
$(KERNELS)/unoptimized_opencoarrays.so: $(plain_objects)
	$(call say,LINK,$(@F))
	@mkdir -p $(@D)
	$(Q)$(FC) $(SHARED) -o $@ $^ $(OPENCOARRAYS) $(MPI_LIBS)
$(KERNELS)/kernels_mpi.so: $(mpi_objects)
	$(call say,LINK,$(@F))
	@mkdir -p $(@D)
	$(Q)$(MPIFORT) $(SHARED) -o $@ $^

# With a sanitizer only the C side is built.
ifeq ($(SANITIZE),)
  ifneq ($(HAVE_FORTRAN),)
    ifneq ($(coarray_sources),)
      groups := kernels $(if $(plain_sources),unoptimized)
      all: $(foreach group,$(groups),$(foreach variant,datamotion libcaf-mpi element $(if $(OPENCOARRAYS),opencoarrays),$(KERNELS)/$(group)_$(variant).so))
    endif
    ifneq ($(and $(HAVE_MPI_F),$(mpi_sources)),)
      all: $(KERNELS)/kernels_mpi.so
    endif
  endif
endif
