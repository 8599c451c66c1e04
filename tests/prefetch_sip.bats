# prefetch/sip: SIAL programs on workers and servers: results, prefetching, memory, devices, and every error's sentence.

load helper

setup() {
    need_program prefetch_sip_errors_ranks_test
}

# passes RANKS PROGRAM CHECKS: all of its checks are ok.
passes() {
    ranks "$1" "$tests/$2"
    all_checks "$3"
}

@test "statements do what they say on one worker" {
    passes 2 prefetch_sip_ranks_test 12
}

@test "statements do what they say on three workers" {
    passes 4 prefetch_sip_ranks_test 12
}

@test "prefetching, memory, devices and records on one worker" {
    passes 2 prefetch_sip_ahead_ranks_test 15
}

@test "prefetching changes no result on up to four workers and three servers" {
    passes 7 prefetch_sip_ahead_ranks_test 15
}

@test "one rank is too few" {
    run -1 --separate-stderr timeout 300 "$tests/prefetch_sip_errors_ranks_test" never_put
    [[ $output == *"1 worker and 1 server need 2 ranks, but there is 1: start more, or choose fewer"* ]]
}

@test "every error names statement, block and cause" {
    local case said wrong=0 errors=$tests/prefetch_sip_errors_ranks_test
    for case in $("$errors" list); do
        # What a rank says just before it ends the job may be lost on its way through mpirun.
        said=$scratch/$case
        # shellcheck disable=SC2016
        # The shell that each rank starts expands it.
        ranks 3 sh -c 'exec "$0" "$1" >>"$2"' "$errors" "$case" "$said" >/dev/null
        if [[ $status -eq 0 || $(<"$said") != *"ok $case"* || $(<"$said") == *"not ok"* ]]; then
            echo "$case: status $status: $(<"$said") $stderr"
            wrong=$((wrong + 1))
        fi
    done
    [ "$wrong" -eq 0 ]
}
