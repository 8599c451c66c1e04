# coarrays/: programs compiled by GNU Fortran with `caf` and run with `cafrun`. Each tests/fortran/<feature>.f90
# checks itself and says "Test passed." from image 1. Those that end like all programs are compiled together and run one
# after the other in one launch; FORTRAN=full: each by itself, too. stop_codes.f90 ends in the ways that are tried below.
# shellcheck disable=SC2164,SC2016,SC2013,SC2030,SC2031
# The names here have no blanks, bats stops at a failed command, and each test is a subshell.

load helper

# Why nothing can be compiled here, or nothing.
missing() {
    command -v "${FC:-gfortran}" >/dev/null || { echo "no Fortran compiler here"; return; }
    command -v "${MPICC:-mpicc}" >/dev/null || { echo "no MPI here"; return; }
    command -v "${MPIRUN:-mpirun}" >/dev/null || { echo "no mpirun here"; return; }
    [ -x "$BIN/caf" ] || echo "$BIN/caf was not built"
}

# What data moves in, and images that stop or fail before their program's end.
TRANSFERS="allocation arguments arrays components conversion derived_types image_to_image scalars sections vector_subscripts"
ENDING="collective_stopped event_stopped stopped_image failed_image soak"

# compile FOLDER NAME...: programs of that folder, each by itself. One that does not compile is a failure of the tests
# that run it.
compile() {
    printf '%s\n' "${@:2}" | xargs -P 2 -I NAME sh -c \
        '"$BIN/caf" -std=f2018 -Wall "$1/NAME.f90" testing.o -o NAME >NAME.compiler 2>&1 || true' sh "$1"
}

setup_file() {
    export BIN=$bin PROGRAMS=$BATS_FILE_TMPDIR
    # Waits have limits, so that what hangs says where.
    export CAF_WAIT_LIMIT_S=200
    [ -z "$(missing)" ] || return 0
    export SOURCES=$PWD/tests/fortran
    cd "$PROGRAMS"
    "$BIN/caf" -std=f2018 -Wall -c "$SOURCES/testing.f90" >compiler 2>&1 || { cat compiler >&2; return 1; }
    "$SOURCES/together" parts >names
    # shellcheck disable=SC2086 # names are words
    compile "$SOURCES" stop_codes failed_between failed_then_end $ENDING
    (
        cd parts
        xargs -P 2 -I NAME "$BIN/caf" -std=f2018 -Wall -I.. -c NAME.f90 <../names &&
            "$BIN/caf" together.f90 ./*.o ../testing.o -o ../together
    ) >together.compiler 2>&1 || true
}

setup() {
    # The C test needs no Fortran.
    [[ $BATS_TEST_DESCRIPTION != "C: "* ]] || return 0
    local reason
    reason=$(missing)
    [ -z "$reason" ] || skip "$reason"
}

# bats has a trap of its own at the end of a test, so that the cluster of one is taken down here.
teardown() {
    [ -z "${DATAMOTION_CLUSTER:-}" ] || run/cluster down >/dev/null
}

# passes COUNT COMMAND...: the command ends with 0, and so many programs have passed in it.
passes() {
    run timeout 300 "${@:2}"
    if [ "$status" -ne 0 ] || [ "$(grep -cx "Test passed." <<<"$output")" -ne "$1" ]; then
        printf "%s ended with %s:\n%s\n" "${*:2}" "$status" "$output"
        return 1
    fi
}

# together_pass COMMAND...: the programs of $only, or all, when the command starts them in one.
together_pass() {
    [ -x "$PROGRAMS/together" ] || { cat "$PROGRAMS/together.compiler"; return 1; }
    # shellcheck disable=SC2086
    passes "$(wc -w <<<"${only:-$(cat "$PROGRAMS/names")}")" "$@" "$PROGRAMS/together" ${only:-}
}

# alone_pass COMMAND...: the programs of $only, each by itself.
alone_pass() {
    local name
    for name in $only; do
        [ -x "$PROGRAMS/$name" ] || { cat "$PROGRAMS/$name.compiler"; return 1; }
        passes 1 "$@" "$PROGRAMS/$name"
    done
}

# all_pass COMMAND...: all programs.
all_pass() {
    local only=
    together_pass "$@"
    only=$ENDING
    alone_pass "$@"
}

@test "1 image, without a launcher" {
    all_pass env
}

@test "2 images" {
    all_pass "$BIN/cafrun" -np 2
}

@test "4 images" {
    all_pass "$BIN/cafrun" -np 4
}

@test "8 images" {
    all_pass "$BIN/cafrun" -np 8
}

@test "4 images, MPI also within the node, derived datatypes" {
    local only=$TRANSFERS
    CAF_PATH=rma CAF_TRANSFER=datatype together_pass "$BIN/cafrun" -np 4
}

@test "4 images, MPI also within the node, element by element" {
    local only=$TRANSFERS
    CAF_PATH=rma CAF_TRANSFER=element together_pass "$BIN/cafrun" -np 4
}

@test "4 images on two nodes of a virtual cluster" {
    export DATAMOTION_CLUSTER=fortran-$$
    run run/cluster up --hosts 2
    [ "$status" -ne 2 ] || { unset DATAMOTION_CLUSTER && skip "$(sed -n 's/^RESULT: WAIVED //p' <<<"$output")"; }
    [ "$status" -eq 0 ]
    local only=
    together_pass run/cluster mpirun -x CAF_WAIT_LIMIT_S -x TESTING_TIMES=5 -np 4
    ! grep -qF libucp.so "$PROGRAMS/together" || CAF_CONDUIT=ucx together_pass run/cluster mpirun -x CAF_WAIT_LIMIT_S -x CAF_CONDUIT -x TESTING_TIMES=5 -np 4
    # Who fails there is not followed by allocations.
    only="collective_stopped event_stopped stopped_image"
    alone_pass run/cluster mpirun -x CAF_WAIT_LIMIT_S -np 4
    [ -x "$PROGRAMS/failed_between" ]
    # The image that has failed does not wait for its limit either.
    CAF_WAIT_LIMIT_S=200 run timeout 100 run/cluster mpirun -x CAF_WAIT_LIMIT_S -np 4 "$PROGRAMS/failed_between"
    echo "$output"
    [ "$status" -ne 124 ]
    [ "$(grep -cx 'Test passed.' <<<"$output")" -eq 1 ]
    [[ $output != *CAF_WAIT_LIMIT_S* ]]
}

@test "on two nodes a collective without STAT= ends the program when an image has stopped" {
    local stopping lacking=$BATS_TEST_TMPDIR/lacking
    cat >"$lacking.f90" <<'END'
program lacking
    implicit none
    character(len=8) :: argument
    integer :: value, stopping
    call get_command_argument(1, argument)
    read (argument, *) stopping
    value = this_image()
    call co_sum(value)
    if (value /= 10) error stop 2
    if (this_image() == stopping) stop
    call co_sum(value)
    print '(a)', 'not reached'
end program lacking
END
    "$BIN/caf" -std=f2018 "$lacking.f90" -o "$lacking"
    export DATAMOTION_CLUSTER=lacking-$$
    run run/cluster up --hosts 2
    [ "$status" -ne 2 ] || { unset DATAMOTION_CLUSTER && skip "$(sed -n 's/^RESULT: WAIVED //p' <<<"$output")"; }
    [ "$status" -eq 0 ]
    for stopping in 1 4; do
        run timeout 100 run/cluster mpirun -x CAF_WAIT_LIMIT_S -np 4 "$lacking" "$stopping"
        echo "$stopping: $status: $output"
        [ "$status" -eq 1 ]
        [[ $output == *"CO_SUM: image $stopping has stopped"* && $output != *"not reached"* ]]
    done
}

@test "each program by itself" {
    [ "${FORTRAN:-}" = full ] || skip "only with FORTRAN=full"
    local only images
    only=$(cat "$PROGRAMS/names")
    # shellcheck disable=SC2086
    (cd "$PROGRAMS" && compile "$SOURCES" $only)
    alone_pass env
    for images in 2 4 8; do
        alone_pass "$BIN/cafrun" -np "$images"
    done
}

@test "C: the entry points, with descriptors made by hand" {
    need_program caf_gfortran_ranks_test
    for images in 1 2 4; do
        ranks "$images" "$tests/caf_gfortran_ranks_test"
        all_checks 12
    done
    OMPI_MCA_osc=sm,ucx CAF_PATH=rma ranks 3 "$tests/caf_gfortran_ranks_test"
    all_checks 12
}

@test "C: what GNU Fortran 15 and 16 call, with references made by hand" {
    need_program caf_access_ranks_test
    for images in 1 3; do
        ranks "$images" "$tests/caf_access_ranks_test"
        all_checks 11
    done
    # The image referred to carries them out.
    OMPI_MCA_osc=sm,ucx CAF_PATH=rma ranks 3 "$tests/caf_access_ranks_test"
    all_checks 11
}

@test "names of places in coarrays, teams of sources, subscripts of functions: GNU Fortran 16" {
    [[ $("${FC:-gfortran}" -dumpversion) == 16* ]] || skip "GNU Fortran before 16 does not compile them"
    local only=names
    (cd "$PROGRAMS" && compile "$SOURCES/version_16" names)
    alone_pass env
    for images in 2 4; do
        alone_pass "$BIN/cafrun" -np "$images"
    done
    CAF_PATH=rma alone_pass "$BIN/cafrun" -np 3
}

@test "a check that fails is a test that fails" {
    cd "$BATS_TEST_TMPDIR"
    cat >wrong.f90 <<'SOURCE'
program wrong
    use testing, only: check, finish
    implicit none
    call check(this_image() /= 2, 'on purpose')
    call finish()
end program wrong
SOURCE
    "$BIN/caf" -I"$PROGRAMS" wrong.f90 "$PROGRAMS/testing.o" -o wrong
    run timeout 300 "$BIN/cafrun" -np 3 ./wrong
    [ "$status" -eq 1 ]
    [[ $output == *"image 2: wrong: on purpose"* && $output != *"Test passed."* ]]
}

# ends WAY CODE TEXT COUNT: stop_codes with three images ends with the code after `count` lines with the text,
# and what the images had printed before is not lost unless they were killed.
ends() {
    run timeout 300 "$BIN/cafrun" -np 3 "$PROGRAMS/stop_codes" "$1"
    echo "$1: $status, should be $2: $output"
    [ "$status" -eq "$2" ]
    [ "$(grep -c -- "$3" <<<"$output")" -eq "$4" ]
}

@test "STOP: texts and exit codes are GNU Fortran's" {
    ends end 0 STOP 0
    ends stop 0 STOP 0
    ends code 3 '^STOP 3$' 3
    ends text 0 '^STOP enough$' 3
    ends quiet 4 STOP 0
    ends one 5 '^STOP 5$' 1
    [ "$(grep -c '^started [123]$' <<<"$output")" -eq 3 ]
}

@test "ERROR STOP ends all images with its code" {
    ends error 1 '^ERROR STOP *$' 1
    ends error-code 6 '^ERROR STOP 6$' 1
    ends error-text 1 '^ERROR STOP it broke$' 1
    [[ $output == *"started 3"* ]]
    ends error-quiet 7 STOP 0
}

@test "a process that ends by itself is waited for by nobody" {
    ends dies 3 'ERROR STOP' 0
    CAF_PATH=rma ends dies 3 'ERROR STOP' 0
}

@test "FAIL IMAGE: who synchronises without STAT= ends the program with a sentence" {
    ends fail 1 'not reached' 0
    [[ $output == *"SYNC ALL: image 3 has failed"* ]]
}

# Each image may be the first to end the others.
@test "errors without STAT= end the program and say what was wrong" {
    ends put 1 'image 9 of 4' 0
    [[ $output == *"PUT: there is no image 8 of 3"* ]]
    ends get 1 'image 9 of 4' 0
    [[ $output == *"GET: there is no image 8 of 3"* ]]
    # The statement holds its unit, whose buffer is written all the same.
    ends print 1 'image 9 of 4' 0
    [[ $output == *"GET: there is no image 8 of 3"* && $output == *"started 3"* ]]
    ends print-stop 9 'ERROR STOP 9' 1
    [[ $output == *"started 3"* ]]
    ends stopped 1 'started 4' 0
    [[ $output == *"SYNC ALL: image 1 has stopped"* ]]
    ends memory 1 'started 4' 0
    [[ $output == *"ALLOCATE: "*" bytes"* ]]
    ends vector 1 'not reached' 0
    [[ $output == *"a vector subscript that is itself a section with a stride"* ]]
}

@test "caf: compiles and links apart, from an installed prefix, and takes other compilers" {
    cd "$BATS_TEST_TMPDIR"
    mkdir -p prefix/bin prefix/lib
    cp "$BIN/caf" "$BIN/cafrun" prefix/bin/
    cp "$BIN/../lib/libcaf_datamotion.a" prefix/lib/
    printf 'module m\ninteger :: n[*] = 7\nend module\n' >m.f90
    printf 'use m\nprint "(i0)", n[num_images()]\nend\n' >main.f90
    prefix/bin/caf -c m.f90
    prefix/bin/caf main.f90 m.o -o main
    run timeout 300 prefix/bin/cafrun -np 2 ./main
    [ "$output" = $'7\n7' ]
    FC="gfortran -O2" prefix/bin/caf main.f90 m.o -o main2
    [ -x main2 ]
    rm prefix/lib/libcaf_datamotion.a
    prefix/bin/caf -c m.f90
    run prefix/bin/caf main.f90 m.o -o main3
    [ "$status" -eq 1 ]
    [[ $output == "caf: there is no "*libcaf_datamotion.a* ]]
}

@test "caf: help, version, bad input" {
    run "$BIN/caf" --help
    [ "$status" -eq 0 ]
    [[ $output == "Usage: caf "* && $output != *"#"* ]]
    run "$BIN/caf" --version
    [ "$status" -eq 0 ]
    [[ $output == *libcaf_datamotion.a*Fortran* ]]
    run "$BIN/caf"
    [ "$status" -eq 1 ]
    FC=no-such-compiler run "$BIN/caf" x.f90
    [ "$status" -eq 1 ]
    [[ $output == *no-such-compiler* ]]
    # Compilers of which only the version counts.
    for version in 11 12 14.2.0 15 16.0.1 17 clang; do
        printf '#!/bin/sh\n[ "$1" != -dumpversion ] || { echo %s; exit; }\necho "compiles $*"\n' "$version" >"$BATS_TEST_TMPDIR/fc"
        chmod +x "$BATS_TEST_TMPDIR/fc"
        FC=$BATS_TEST_TMPDIR/fc run "$BIN/caf" -c x.f90
        case $version in
        1[2-6]*) [[ $output == "compiles -fcoarray=lib -wrapper "*"/caf,--run -c x.f90" ]] ;;
        17) [ "$status" -eq 1 ] && [[ $output == *"how GNU Fortran 17 calls coarray libraries is not known"* ]] ;;
        *) [ "$output" = "compiles -fcoarray=lib -c x.f90" ] ;;
        esac
    done
    run "$BIN/caf" /nonexistent/x.f90
    [ "$status" -ne 0 ]
    run "$BIN/caf" --link-options-of 15
    [ -z "$output" ]
    run "$BIN/caf" --link-options-of 16
    [[ $output == *"-Wl,--wrap=_gfortran_caf_form_team "* ]]
}

# What GNU Fortran leaves out.
@test "caf: variables that the compiler left out are added, those that are there are not" {
    cd "$BATS_TEST_TMPDIR"
    printf '\t.globl f\nf:\tmovl __caf_get_from_remote_fn_index_0.1(%%rip), %%eax\n\tmovl __caf_send_to_remote_fn_index_1.2(%%rip), %%edx\n' >x.s
    printf '\tmovq caf_token.5.6(%%rip), %%rcx\n\tret\n\t.data\n__caf_send_to_remote_fn_index_1.2:\n\t.long 5\n' >>x.s
    "$BIN/caf" --run as x.s -o x.o
    run nm x.o
    echo "$output"
    [[ $output != *" U "* && $output == *" d __caf_get_from_remote_fn_index_0.1"* && $output == *" d caf_token.5.6"* ]]
    [ "$(grep -c '^__caf_send_to_remote_fn_index_1.2:' x.s)" -eq 1 ]
}

# 12.2 refers to a token that it never writes.
@test "a static coarray in an ASSOCIATE construct of a module procedure links" {
    cd "$BATS_TEST_TMPDIR"
    cat >associated.f90 <<'END'
module counters
contains
    subroutine count_up()
        integer, save :: i[*] = 41
        associate (one => 1)
            i[1] = i[1] + one
        end associate
        if (i[1] /= 42) error stop 'i'
    end subroutine
end module
use counters
call count_up()
print '(a)', 'Test passed.'
end
END
    "$BIN/caf" -std=f2018 associated.f90 -o associated
    passes 1 "$BIN/cafrun" -np 1 ./associated
}

@test "an image that fails: the others learn it from STAT= and go on" {
    local way
    for way in 0 6 9 11; do
        run timeout 300 "$BIN/cafrun" -np 4 "$PROGRAMS/failed_image" "$way"
        echo "$way: $status: $output"
        [ "$status" -eq 0 ]
        [ "$(grep -cx 'Test passed.' <<<"$output")" -eq 1 ]
    done
}

@test "an image fails and the others end at once: each is told of the one that failed" {
    local statement
    for statement in all images sum deallocate; do
        passes 1 "$BIN/cafrun" -np 5 "$PROGRAMS/failed_then_end" "$statement"
    done
}

# SOAK=1000: so many programs instead of 8.
@test "soak: an image fails at a random moment, and nobody hangs" {
    local seed ways=(0 6 9 14)
    for ((seed = 1; seed <= ${SOAK:-8}; seed++)); do
        CAF_WAIT_LIMIT_S=60 run timeout 120 "$BIN/cafrun" -np $((2 + seed % 4)) "$PROGRAMS/soak" "$seed" "${ways[seed % 4]}"
        echo "seed $seed, way ${ways[seed % 4]}: $status: $output"
        [ "$status" -eq 0 ]
        [ "$(grep -cx 'Test passed.' <<<"$output")" -eq 1 ]
    done
}

# A launcher that says how it was called.
fake_launcher() {
    printf '#!/bin/sh\n[ "$1" = --version ] && echo "mpirun (Open MPI) %s" && exit\necho "$OMPI_MCA_osc|" "$@"\n' "$1" \
        >"$BATS_TEST_TMPDIR/mpirun"
    chmod +x "$BATS_TEST_TMPDIR/mpirun"
    export MPIRUN=$BATS_TEST_TMPDIR/mpirun
}

@test "cafrun: what the launcher is told" {
    unset OMPI_MCA_osc
    cd "$BATS_TEST_TMPDIR"
    printf '#!/bin/sh\n' >program
    chmod +x program
    fake_launcher 4.1.4
    run env CAF_DEBUG=1 "$BIN/cafrun" -np 1000 ./program -np 2 --help
    [ "$status" -eq 0 ]
    [[ $output == "sm,ucx| "*" -np 1000 ./program -np 2 --help" ]]
    [[ $output == *"--oversubscribe"* && $output == *"-x CAF_DEBUG"* && $output == *"--enable-recovery"* ]]
    CAF_RECOVERY=0 run "$BIN/cafrun" -np 1 ./program
    [[ $output != *"--enable-recovery"* ]]
    run "$BIN/cafrun" -np 1 ./program
    [[ $output != *"--oversubscribe"* ]]
    run "$BIN/cafrun" -np 1000 --hostfile hosts ./program
    [[ $output != *"--oversubscribe"* ]]
    OMPI_MCA_osc=rdma run "$BIN/cafrun" -np 1 ./program
    [[ $output == "rdma| "* ]]
    run "$BIN/cafrun" -np 1 -H here ./program
    [[ $output != *"--enable-recovery"* && $output != *"fork_agent"* ]]
    # Where hosts are named it takes UCX to go on: chosen, or in the program.
    CAF_CONDUIT=ucx run "$BIN/cafrun" -np 1 -H here ./program
    [[ $output == *"orte_fork_agent $BIN/cafrun --image"* && $output == *"-x CAF_CONDUIT"* && $output != *"--enable-recovery"* ]]
    CAF_CONDUIT=ucx CAF_RECOVERY=0 run "$BIN/cafrun" -np 1 -H here ./program
    [[ $output != *"fork_agent"* ]]
    printf '#!/bin/sh\n# libucp.so\n' >program
    run "$BIN/cafrun" -np 1 -H here ./program
    [[ $output == *"fork_agent"* ]]
    CAF_CONDUIT=mpi run "$BIN/cafrun" -np 1 -H here ./program
    [[ $output != *"fork_agent"* ]]
    # Such images end well for the launcher, and say how they ended.
    : >codes
    CAF_CODES=$PWD/codes OMPI_COMM_WORLD_RANK=2 run "$BIN/cafrun" --image sh -c 'echo out; exit 3'
    [ "$status" -eq 0 ] && [ "$output" = out ] && [ "$(cat codes)" = 3 ]
    CAF_CODES=$PWD/codes OMPI_COMM_WORLD_RANK=2 run "$BIN/cafrun" --image sh -c 'kill -KILL $$'
    [ "$status" -eq 0 ] && [ "$output" = "cafrun: image 3 was ended by signal 9" ] && [ "$(cat codes)" = 3 ]
    fake_launcher 5.0.3
    run "$BIN/cafrun" -np 1 ./program
    [[ $output == "| "* ]]
}

@test "cafrun: help, bad input, settings" {
    run "$BIN/cafrun" --help
    [ "$status" -eq 0 ]
    [[ $output == "Usage: cafrun "* ]]
    for arguments in "" "./program" "-np 0 ./program" "-np x ./program" "-np" "-np 2" "-np 2 ./nonexistent -np"; do
        # shellcheck disable=SC2086
        run "$BIN/cafrun" $arguments
        [ "$status" -eq 1 ]
        [[ $output == cafrun:* ]]
    done
    MPIRUN=no-such-launcher run "$BIN/cafrun" -np 1 ./program
    [ "$status" -eq 1 ]
    CAF_PATH=sideways run timeout 300 "$BIN/cafrun" -np 2 "$PROGRAMS/together"
    [ "$status" -eq 1 ]
    [[ $output == *CAF_PATH* ]]
}
