# A real program that becomes 10 % slower is found, and one that does not is not accused.
# shellcheck disable=SC2086,SC2164,SC2154
# The paths here have no blanks, bats stops at a failed command, and `run` sets output.

bats_require_minimum_version 1.5.0
load fixtures/run/setup.bash

@test "regress: a program slowed by 10 % is found, and the same program again is not slower" {
    # run_results.bats finds 10 % in recorded times, in each run of the tests.
    [ -n "${SLOWDOWN:-}" ] || skip 'it takes two minutes and a half; SLOWDOWN=1 runs it'
    local bin=$MAIN/build/soft/bin i
    [ -x "$bin/prefetch_servers" ] || skip 'prefetch_servers is not built'
    command -v mpirun >/dev/null || skip 'mpirun is not installed'
    # Its time is the work of its SIAL program, which sleeps so long that what else a machine under test does hardly counts.
    printf 'demo_work\tprefetch_servers\t--workers 2 --servers 1 --variants no-prefetch --programs scf_like:norb=2:cycles=1:work_s=0.2 -n 7 -w 1\t-\t-\t3\t0\tmpi\t0.6/1/5\t-\t-0.3/0.3\n' \
        >>alpha/experiments.tsv
    gcc -shared -fPIC -O1 "$MAIN/tests/fixtures/run/slow_sleep.c" -o slow_sleep.so -ldl
    export BIN=$bin OMPI_MCA_pml=ob1
    for i in results/box results/box/runs/2 results/box/runs/3 results/again; do
        run -0 run/experiment --results $i demo_work
    done
    # A machine under test may be disturbed for the length of a run: a second one decides.
    run run/regress results/again results/box
    if [[ $output == *slower:* ]]; then
        run -0 run/experiment --results results/again demo_work
        run -0 run/regress results/again results/box
    fi
    echo "# the same again: ${lines[-1]}" >&3
    for i in 1 2; do
        LD_PRELOAD=$PWD/slow_sleep.so run -0 run/experiment --results results/slowed demo_work
        run run/regress --junit junit.xml results/slowed results/box
        echo "$output"
        [ "$status" -ne 3 ] || break
    done
    [ "$status" -eq 3 ]
    echo "# 10 % slower: ${lines[-1]}; ${lines[0]}" >&3
    says 'slower: demo_work'
    grep -q '<failure message="median' junit.xml
}
