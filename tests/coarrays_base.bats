# coarrays/caf: images, synchronisation, messages and termination, on one node and on two hosts of the virtual cluster.
# shellcheck disable=SC2030,SC2031
# Each test is a subshell.

load helper

setup() {
    need_program caf_base_ranks_test
    unset "${!CAF_@}" "${!DATAMOTION_CLUSTER_@}"
    start=(ranks)
}

# From here on images run on so many hosts.
on_hosts() {
    start=(ranks_on_hosts "$1")
}

# images N TEST ARGUMENTS...: runs it; stdout in $output, stderr in $stderr.
images() {
    "${start[@]}" "$1" "$tests/caf_$2_ranks_test" "${@:3}"
}

# passes CHECKS N TEST ARGUMENTS...: so many checks, and no other lines.
passes() {
    images "${@:2}"
    all_checks "$1"
}

# ends CODE N SCENARIO ARGUMENTS...: every image says ok, and the job ends with the code.
ends() {
    images "$2" stop "${@:3}"
    [ "$status" -eq "$1" ]
    [ "$(grep -c '^ok image' <<<"$output")" -eq "$2" ]
    ! grep -q '^not ok' <<<"$output"
}

# says CODE COUNT TEXT: the exit code, and how many lines of stderr have the text.
says() {
    [ "$status" -eq "$1" ]
    [ "$(grep -cF "$3" <<<"$stderr")" -eq "$2" ]
}

@test "the base with 1, 2, 4 and 8 images" {
    for n in 1 2 4 8; do
        passes 8 "$n" base
    done
}

@test "the base when data and messages go through MPI within the node" {
    export CAF_PATH=rma
    for n in 1 2 4; do
        passes 8 "$n" base
    done
}

@test "the base without a launcher" {
    run -0 timeout 300 "$tests/caf_base_ranks_test"
    [ "$(grep -c '^ok ' <<<"$output")" -eq 8 ]
}

@test "the base on two hosts" {
    on_hosts 2
    passes 8 2 base
    passes 8 4 base
}

@test "the base on three hosts with one image each" {
    on_hosts 3
    passes 8 3 base
}

@test "shared memory: all images of a node get it or none, and nothing is left over" {
    for n in 1 2 4; do
        passes 3 "$n" shared
    done
}

@test "shared memory on two hosts" {
    on_hosts 2
    passes 3 4 shared
}

@test "messages of 0 bytes to 5 MB between all images" {
    export CAF_PATH=rma
    for n in 1 2 4; do
        passes 3 "$n" messages
    done
}

@test "messages on two hosts" {
    on_hosts 2
    passes 3 4 messages
}

@test "images that stop early: the others go on, and are told" {
    ends 7 2 stopping 1
    ends 7 2 stopping 2
    ends 7 4 stopping 1 3 2
    ends 7 4 stopping 4 3 2 1
    ends 0 3 names_before_stopping_count
    CAF_PATH=rma ends 7 4 stopping 2 1
    for seed in 1 2 3; do
        ends 0 4 stop_at_random "$seed"
    done
}

@test "images that stop early on two hosts: also the first of a host, and all of it" {
    on_hosts 2
    ends 7 4 stopping 1 3 2
    ends 7 4 stopping 1 2
    ends 7 4 stopping 3 4
    ends 7 4 stopping 2 4 3 1
    for seed in 1 2 3; do
        ends 0 4 stop_at_random "$seed"
    done
    ends 0 4 names_before_stopping_count
}

@test "a wait ends with a code at its limit" {
    export CAF_WAIT_LIMIT_S=1
    ends 0 2 limit
    ends 0 4 limit
    images 3 stop limit_of_the_end
    says 1 1 'ERROR STOP, image 1: normal termination: image 1 waited for 1 s, the limit CAF_WAIT_LIMIT_S'
}

@test "a wait between hosts ends with a code at its limit" {
    on_hosts 2
    CAF_WAIT_LIMIT_S=1 ends 0 4 limit
}

@test "error stop: its code, its text once, and nobody hangs" {
    images 4 stop error_stop 3 'the residual grows'
    says 3 1 'ERROR STOP, image 4: the residual grows'
    [ "$output" = 'this was printed before' ]
    for code in 0 256 1; do
        images 2 stop error_stop "$code"
        says 1 0 'ERROR STOP'
    done
}

@test "error stop on two hosts" {
    on_hosts 2
    images 4 stop error_stop 9 'on another host'
    says 9 1 'ERROR STOP, image 4: on another host'
}

@test "stop and error stop before the start, and an end after MPI's" {
    run_apart "$tests/caf_stop_ranks_test" error_stop_before_start 5
    says 5 1 'ERROR STOP: too early'
    run -4 "$tests/caf_stop_ranks_test" stop_before_start 4
    ends 0 2 finalized
}

@test "wrong environment variables are one sentence that names what is allowed" {
    while IFS='|' read -r variable value expected; do
        export "$variable=$value"
        images 2 stop end
        says 1 1 "ERROR STOP, image 1: $variable is '$value', but must be $expected"
        [ -z "$output" ]
        unset "$variable"
    done <<'TABLE'
CAF_PATH|fast|direct or rma
CAF_PATH||direct or rma
CAF_TRANSFER|vector|block, datatype or element
CAF_DEBUG|yes|0 or 1
CAF_WAIT_LIMIT_S|-1|a number of seconds, or 0 for no limit
CAF_WAIT_LIMIT_S|1min|a number of seconds, or 0 for no limit
CAF_WAIT_LIMIT_S|nan|a number of seconds, or 0 for no limit
CAF_MEMORY|-5|a number of bytes
CAF_MEMORY|1T|a number of bytes
CAF_MEMORY|99999999999G|a number of bytes
CAF_MEMORY|K|a number of bytes
CAF_COMPONENTS|some|a number of bytes
TABLE
    while IFS='|' read -r variable value; do
        export "$variable=$value"
        ends 0 2 end
        unset "$variable"
    done <<'TABLE'
CAF_TRANSFER|element
CAF_DEBUG|1
CAF_WAIT_LIMIT_S|0
CAF_MEMORY|64M
CAF_COMPONENTS|100K
TABLE
}

@test "images with different settings are told" {
    ranks 1 -x CAF_PATH=rma "$tests/caf_stop_ranks_test" end : -np 1 "$tests/caf_stop_ranks_test" end
    says 1 1 'CAF_PATH, CAF_TRANSFER, CAF_CONDUIT and CAF_PARCELS must be the same on all images'
}

@test "several instances of the library in one process" {
    library=build/${GPU:-soft}/lib/libcaf_datamotion.a
    [ -e "$library" ] || skip "libcaf_datamotion.a was not built"
    # Its run-time library lies where the Fortran compiler looks, which need not be the C compiler's place.
    fortran=$(awk -F'\t' '$1 == "fortran" { print $3 }' build/libraries.tsv)
    "${MPICC:-mpicc}" -shared -Wl,-Bsymbolic -o "$BATS_TEST_TMPDIR/a.so" -Wl,--whole-archive "$library" \
        -Wl,--no-whole-archive "$("${FC:-${fortran% }}" -print-file-name=libgfortran.so)"
    cp "$BATS_TEST_TMPDIR/a.so" "$BATS_TEST_TMPDIR/b.so"
    cp "$BATS_TEST_TMPDIR/a.so" "$BATS_TEST_TMPDIR/c.so"
    for n in 1 2 4; do
        passes 4 "$n" instances "$BATS_TEST_TMPDIR"/{a,b,c}.so
    done
}
