# coarrays/hetero: accelerated coarrays from Fortran: tests/fortran/accelerated/neighbours.f90 with a kernel of its own, compiled
# and linked as a user does it.
# shellcheck disable=SC2164
# bats stops at a failed command.

load helper

# Why nothing can be compiled here, or nothing.
missing() {
    command -v "${FC:-gfortran}" >/dev/null || { echo "no Fortran compiler here"; return; }
    command -v "${MPICC:-mpicc}" >/dev/null || { echo "no MPI here"; return; }
    command -v "${MPIRUN:-mpirun}" >/dev/null || { echo "no mpirun here"; return; }
    [ "${GPU:-soft}" = soft ] || nvidia-smi -L >/dev/null 2>&1 || { echo "no GPU here"; return; }
    [ -f "$BIN/../include/accelerated.mod" ] || echo "accelerated.mod was not built: a sanitizer's build has no Fortran"
}

# compile_kernel SOURCE OBJECT
compile_kernel() {
    if [ "${GPU:-soft}" = soft ]; then
        "${CXX:-g++}" -x c++ -std=c++17 -O2 -Wall -Wextra -Werror -DSOFTGPU -I . -I common/include -I common/soft/include -c "$1" -o "$2"
    else
        "${NVCC:-nvcc}" -std=c++17 -O2 -I . -I common/include -c "$1" -o "$2"
    fi
}

setup_file() {
    export BIN=$bin CAF_WAIT_LIMIT_S=200
    [ "${GPU:-soft}" != soft ] || export SOFTGPU_DEVICES=2 SOFTGPU_MEMORY=256M
    [ -z "$(missing)" ] || return 0
    local sources=$PWD/tests/fortran
    compile_kernel "$sources/accelerated/scale.cu" "$BATS_FILE_TMPDIR/scale.o"
    cd "$BATS_FILE_TMPDIR"
    "$BIN/caf" -std=f2018 -Wall -Wextra -Werror -c "$sources/testing.f90"
    "$BIN/caf" --accelerated -std=f2018 -Wall -Wextra -Werror "$sources/accelerated/neighbours.f90" testing.o scale.o \
        -lstdc++ -o neighbours
}

setup() {
    unset CAF_PATH CAF_ACCELERATED CAF_DEBUG
    reason=$(missing)
    [ -z "$reason" ] || skip "$reason"
    # Both GPUs where there are two.
    if [ "${GPU:-soft}" = soft ]; then devices=2; else devices=$(nvidia-smi -L | wc -l); fi
}

# passes COMMAND...
passes() {
    # On stderr the software GPU may say how much memory an ordinary user may lock.
    run_apart timeout 300 "$@" "$BATS_FILE_TMPDIR/neighbours" "$devices"
    [ "$status" -eq 0 ]
    [ "$output" = "Test passed." ]
}

@test "managed, mapped and device memory from Fortran: 1, 2 and 3 images" {
    passes env
    passes "$BIN/cafrun" -np 2
    passes "$BIN/cafrun" -np 3
}

@test "the same with MPI within the node, and as if all images were on nodes of their own" {
    CAF_PATH=rma passes "$BIN/cafrun" -np 2
    CAF_ACCELERATED=staged passes "$BIN/cafrun" -np 3
}

@test "a wrong environment is an error that the program sees" {
    CAF_ACCELERATED=somehow run timeout 300 "$BIN/cafrun" -np 2 "$BATS_FILE_TMPDIR/neighbours" "$devices"
    [ "$status" -ne 0 ]
    [[ $output == *"ERROR STOP allocate: CAF_ACCELERATED is 'somehow'"* ]]
    [[ $output != *"Test passed."* ]]
}

@test "the example of the README" {
    cd "$BATS_TEST_TMPDIR"
    awk '/^```fortran/ { take = 1; next } /^```/ { take = 0 } take' "$BATS_TEST_DIRNAME/../coarrays/hetero/README.md" >ring.f90
    [ -s ring.f90 ]
    "$BIN/caf" --accelerated -std=f2018 -Wall -Werror ring.f90 -o ring
    run timeout 300 "$BIN/cafrun" -np 3 ./ring
    echo "$output"
    [ "$status" -eq 0 ]
    [ "$(sort <<<"$output")" = $'image 1: 2.0\nimage 2: 3.0\nimage 3: 1.0' ]
}

@test "caf --accelerated: what is missing is told" {
    cd "$BATS_TEST_TMPDIR"
    printf 'end\n' >empty.f90
    run "$BIN/caf" --accelerated
    [ "$status" -eq 1 ]
    [[ $output == "caf: no input files"* ]]
    mkdir -p prefix/bin prefix/lib
    cp "$BIN/caf" prefix/bin/
    cp "$BIN/../lib/libcaf_datamotion.a" prefix/lib/
    run prefix/bin/caf --accelerated empty.f90 -o empty
    [ "$status" -eq 1 ]
    [[ $output == "caf: there is no "*libcaf_accelerated.a* ]]
    run prefix/bin/caf empty.f90 -o empty
    [ "$status" -eq 0 ]
    # Without the option the calls are not there.
    printf 'use accelerated\nend\n' >uses.f90
    run "$BIN/caf" uses.f90 -o uses
    [ "$status" -ne 0 ]
}
