# What a build does where a library is missing: it leaves out what needs it, says so once, and everything else goes on.
# Libraries are hidden from the probes (HIDE=isl,fann).

bats_require_minimum_version 1.5.0

# shellcheck disable=SC2054,SC2030,SC2031
setup() {
    cd "$BATS_TEST_DIRNAME/.." || exit 1
    unset MAKEFLAGS MFLAGS MAKELEVEL RESULTS SCALE
    export GPU=soft
    own=results/local/libraries-$$-$BATS_TEST_NUMBER
}

teardown() {
    rm -rf "$own"
}

# dry LIBRARY DIRECTORY: the commands of a build of that directory without the library.
dry() {
    run make --no-print-directory -n -B V=1 HIDE="$1" -C "$2" all
    [ "$status" -eq 0 ]
}

@test "a build without a library never tries what needs it" {
    while read -r library directory words; do
        dry "$library" "$directory"
        run ! grep -E -- "$words" <<<"$output"
        run make --no-print-directory -s HIDE="$library" -C "$directory" left-out
        [ "$status" -eq 0 ]
        [ "$library" = fortran ] || [[ $output == *"$directory "*" $library"* ]]
    done <<'TABLE'
isl partition -lisl|-c (table|expression)\.c
llvm partition partition-analyse|partition_wrap
libclang pipeline -lclang|translate/
svm tuner -lsvm|model_svm
fann tuner -lfann|model_mlp
zlib run -lz
sqlite run -lsqlite3
openblas spmv -lopenblas
openmp coarrays -fopenmp.*-c
mpi rdma -c .*path_mpi
mpi spmv -o [^ ]*spmv_calls
fortran coarrays gfortran -std|\.f90
boost pinning -lboost_context
TABLE
}

# Minutes for each: what was built with it is compiled again.
@test "LIBRARIES_LONG: without each library in turn all is built, and a smoke measurement of what is left ends well" {
    [ -n "${LIBRARIES_LONG:-}" ] || skip "takes minutes for each library: LIBRARIES_LONG=1, or LIBRARIES_LONG=isl,mpi"
    local library names=$LIBRARIES_LONG tree=$BATS_TEST_TMPDIR/tree make=(make --no-print-directory DEPS="$PWD/build/deps")
    [ "$names" != 1 ] || names=$(awk -F' *[|] *' '!/^#/ && NF == 4 && $1 !~ /^(gcc|make|git)$/ && $2 !~ /^tests/ { printf "%s,", $1 }' setup.d/libraries)
    mkdir "$tree"
    git ls-files -z --cached --others --exclude-standard | xargs -0 cp -a --parents -t "$tree"
    cp -a build "$tree/" && rm -rf "$tree/build/deps"
    cd "$tree"
    for library in ${names//,/ }; do
        run "${make[@]}" HIDE="$library" all
        echo "without $library: $output"
        [ "$status" -eq 0 ]
        rm -rf results/local
        run "${make[@]}" -k HIDE="$library" SCALE=smoke \
            EXPERIMENTS="common_machine pinning_copy spmv_gather coarrays_sync tuner_models partition_grids" measure
        echo "without $library: $output"
        [ "$status" -eq 0 ]
        grep -q '"status": "PASS"' results/local/common_machine.json || [ "$library" = boost ]
    done
}

@test "make says once which programs are not built, what is missing and how to get it" {
    run make --no-print-directory HIDE=fann doctor
    [ "$status" -eq 0 ]
    [[ $output == *"fann       no   libfann-dev"* ]]
    hidden=$(grep -c 'is not here' <<<"$output")
    [[ ${lines[-1]} == "fann is not here ("*"): not built: tuner (10 programs). Package: libfann-dev; ./setup --prefix "* ]]
    run make --no-print-directory doctor
    [[ $output != *"fann is not here"* ]]
    [ "$(grep -c 'is not here' <<<"$output")" -eq $((hidden - 1)) ]
}

@test "an experiment that needs it is waived with that sentence, the others go on, and the progress counts over all" {
    [ -x build/soft/bin/pinning_copy ] || skip "pinning_copy was not built here"
    local measure=(make --no-print-directory HIDE=svm,isl EXPERIMENTS="pinning_copy tuner_models" SCALE=smoke RESULTS="$own" measure)
    run "${measure[@]}"
    echo "$output"
    [ "$status" -eq 0 ]
    [[ $output == *"[1/2] pinning_copy  "* ]]
    [[ $output == *"[2/2] tuner_models  waived: it needs svm (support-vector regression of the tuner); not found when it was built: install libsvm-dev"* ]]
    grep -q '"status": "WAIVED"' "$own/tuner_models.json"
    run "${measure[@]}"
    [ "$status" -eq 0 ]
    [[ $output != *"pinning_copy"* && $output != *tuner_models* ]]
}

@test "a probe looks again only when something changed" {
    local folder=$BATS_TEST_TMPDIR/probe before
    HIDE=isl setup.d/probe update "$folder"
    grep -q '^HAVE := .*gcc' "$folder/libraries.mk"
    run ! grep -q '^HAVE := .*\bisl\b' "$folder/libraries.mk"
    before=$(stat -c %i "$folder/libraries.key")
    HIDE=isl setup.d/probe update "$folder"
    [ "$(stat -c %i "$folder/libraries.key")" = "$before" ]
    HIDE=svm setup.d/probe update "$folder"
    grep -q '^HAVE := .*\bisl\b' "$folder/libraries.mk"
    HIDE=isl,mpi,offload run setup.d/probe missing
    [[ $output == *libisl-dev* && $output == *libopenmpi-dev* ]]
    [[ $output == *"gcc-$(gcc -dumpversion | cut -d. -f1)-offload-nvptx"* ]]
    # What tests alone use is no reason to build anew.
    run ! grep -qE '\b(slurm|mpich)\b' "$folder/libraries.mk"
    # Another header or name does, too.
    printf 'x | c no_such.h,stdio.h - | p | why\ny | file libnone.so libc.so.6 | p | why\nz | c no.h,such.h - | p | why\nu | file libnone.so | p | why\n' \
        >"$BATS_TEST_TMPDIR/table"
    mkdir -p "$BATS_TEST_TMPDIR/other/setup.d"
    cp setup.d/probe "$BATS_TEST_TMPDIR/other/setup.d/" && cp "$BATS_TEST_TMPDIR/table" "$BATS_TEST_TMPDIR/other/setup.d/libraries"
    "$BATS_TEST_TMPDIR/other/setup.d/probe" update "$BATS_TEST_TMPDIR/other/build"
    [ "$(cat "$BATS_TEST_TMPDIR/other/build/libraries.mk")" = "HAVE := x y" ]
}

@test "a wrapper of MPI counts where its headers are, too" {
    printf '#!/bin/sh\ncase $1 in *showme*) ;; *) exit 1 ;; esac\n' >"$BATS_TEST_TMPDIR/mpicc" && chmod +x "$BATS_TEST_TMPDIR/mpicc"
    MPICC=$BATS_TEST_TMPDIR/mpicc run setup.d/probe missing
    [ "$status" -eq 0 ]
    [[ $output == *libopenmpi-dev* ]]
}

@test "what ./setup --prefix unpacks is found where DIR lies, and the tools of administrators without their PATH" {
    local dir=$BATS_TEST_TMPDIR/deps
    local of=gcc/$(gcc -print-multiarch) version
    version=$(gcc -dumpversion)
    mkdir -p "$dir/usr/bin" "$dir/usr/lib/$of/$version/accel" "$dir/usr/lib/$of/99/accel" "$dir/usr/libexec/$of/$version/accel"
    sed "s|@TRIPLET@|$(gcc -print-multiarch)|g" setup.d/shell.in >"$dir/shell"
    # shellcheck disable=SC2016
    printf '#!/bin/sh\necho "here: $C_INCLUDE_PATH"\n' >"$dir/usr/bin/only-there"
    chmod +x "$dir/shell" "$dir/usr/bin/only-there"
    [[ $("$dir/shell" -c only-there) == "here: $dir/usr/include:"* ]]
    [ "$(env -u COMPILER_PATH "$dir/shell" -c 'echo "$COMPILER_PATH"')" = "$dir/usr/libexec/$of/$version:$dir/usr/lib/$of/$version" ]
    mv "$dir" "$dir-moved"
    run make -s DEPS="$dir-moved" --eval='try: ; @only-there; echo $(shell only-there)' try
    [ "$status" -eq 0 ]
    [ "$(grep -c "here: $dir-moved/usr/include" <<<"$output")" -eq 2 ]
    if PATH=$PATH:/usr/sbin:/sbin ldconfig -p | grep -q libjemalloc.so.2; then
        PATH=/usr/bin:/bin run ./setup --check
        [[ $output != *jemalloc* && $output != *iproute2* ]]
    fi
}

@test "./setup --prefix takes what is wanted with what that needs, but no compiler, no C library and nothing for other GPUs" {
    local bin=$BATS_TEST_TMPDIR/bin
    mkdir "$bin"
    # shellcheck disable=SC2016
    printf '%s\n' '#!/bin/sh' 'case " $* " in' \
        '*" -s "*) for name in libc6 gcc-13-x86-64-linux-gnu libgcc-13-dev libstdc++-13-dev libasan8 cpp-13 libfann-dev clang-14 libllvm14t64 libllvm17t64 libamdhip64-5 libucx0; do' \
        '    echo "Inst $name (1.0)"; done ;;' \
        '*" download "*) echo "$*" >>"$SAID"; exit 1 ;; esac' >"$bin/apt-get"
    printf '#!/bin/sh\n' >"$bin/dpkg-deb"
    chmod +x "$bin"/*
    SAID=$BATS_TEST_TMPDIR/said PATH=$bin:$PATH run ./setup --prefix "$BATS_TEST_TMPDIR/deps" --whole --only fann
    echo "$output"
    [ "$status" -eq 1 ]
    [[ ${lines[1]} == "setup: 4 packages are unpacked into "* && ${lines[2]} == "setup: nothing could be downloaded; see "*download.log ]]
    [[ $(head -n 1 "$BATS_TEST_TMPDIR/said") == *" download clang-14 libfann-dev libllvm14t64 libucx0" ]]
}

@test "the prefix of conda or Spack is found by compilers and make: a header in its place, LLVM without a version in its names" {
    local prefix=$BATS_TEST_TMPDIR/prefix
    mkdir -p "$prefix"/{bin,include,lib}
    echo '#define FOUND 1' >"$prefix/include/only_there.h"
    printf '#!/bin/sh\necho 14.0.6\n' >"$prefix/bin/llvm-config"
    chmod +x "$prefix/bin/llvm-config"
    : >"$prefix/lib/libonly_there.so"
    # shellcheck disable=SC2016
    run env -u LLVM_CONFIG CONDA_PREFIX="$prefix" sh -c '. setup.d/environment && echo "$LLVM_CONFIG $PARTITION_OPT" && gcc -print-file-name=libonly_there.so &&
        printf "#include <only_there.h>\nint found[FOUND];" | gcc -c -x c - -o /dev/null && case $LD_LIBRARY_PATH: in "$CONDA_PREFIX/lib:"*) echo loaded ;; esac'
    echo "$output"
    [ "$status" -eq 0 ]
    [ "${lines[0]}" = "$prefix/bin/llvm-config $prefix/bin/opt" ]
    [[ ${lines[1]} == */prefix/lib/*libonly_there.so && ${lines[2]} == loaded ]]
    run env -u CONDA_PREFIX -u SPACK_ENV sh -c '. setup.d/environment'
    [[ $output == *"has no folder include: name the prefix"* ]]
}
