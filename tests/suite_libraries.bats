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

@test "make says once which programs are not built, what is missing and how to get it" {
    run make --no-print-directory HIDE=fann doctor
    [ "$status" -eq 0 ]
    [[ $output == *"fann       no   libfann-dev"* ]]
    [ "$(grep -c 'is not here' <<<"$output")" -eq 1 ]
    [[ ${lines[-1]} == "fann is not here ("*"): not built: tuner (6 programs). Package: libfann-dev; ./setup --prefix "* ]]
    run make --no-print-directory doctor
    [[ $output != *"fann is not here"* ]]
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
    HIDE=isl,mpi run setup.d/probe missing
    [[ $output == *libisl-dev* && $output == *libopenmpi-dev* ]]
}

@test "what ./setup --prefix unpacks is found where DIR lies, and the tools of administrators without their PATH" {
    local dir=$BATS_TEST_TMPDIR/deps
    mkdir -p "$dir/usr/bin"
    sed "s|@TRIPLET@|$(gcc -print-multiarch)|g" setup.d/shell.in >"$dir/shell"
    # shellcheck disable=SC2016
    printf '#!/bin/sh\necho "here: $C_INCLUDE_PATH"\n' >"$dir/usr/bin/only-there"
    chmod +x "$dir/shell" "$dir/usr/bin/only-there"
    [[ $("$dir/shell" -c only-there) == "here: $dir/usr/include:"* ]]
    mv "$dir" "$dir-moved"
    run make -s DEPS="$dir-moved" --eval='try: ; @only-there; echo $(shell only-there)' try
    [ "$status" -eq 0 ]
    [ "$(grep -c "here: $dir-moved/usr/include" <<<"$output")" -eq 2 ]
    if PATH=$PATH:/usr/sbin:/sbin ldconfig -p | grep -q libjemalloc.so.2; then
        PATH=/usr/bin:/bin run ./setup --check
        [[ $output != *jemalloc* && $output != *iproute2* ]]
    fi
}
