# prefetch/sip: SIAL programs on workers and servers: results, prefetching, memory, devices, and every error's sentence.

setup() {
    cd "$BATS_TEST_DIRNAME/.."
    folder=build/${GPU:-soft}/test
    errors=$folder/prefetch_sip_errors_ranks_test
    [ -x "$errors" ] || skip "no MPI here: prefetch_sip_errors_ranks_test was not built"
    launch=(timeout 200 "${MPIRUN:-mpirun}" --oversubscribe --bind-to none)
    [ "$(id -u)" -ne 0 ] || launch+=(--allow-run-as-root)
}

# RANKS PROGRAM CHECKS: all of its checks are ok.
runs() {
    run "${launch[@]}" -np "$1" "$folder/$2"
    [ "$status" -eq 0 ]
    [ "$(grep -c '^ok ' <<<"$output")" -eq "$3" ]
    [[ $output != *"not ok"* ]]
}

@test "statements do what they say on one worker" {
    runs 2 prefetch_sip_ranks_test 11
}

@test "statements do what they say on three workers" {
    runs 4 prefetch_sip_ranks_test 11
}

@test "prefetching, memory, devices and records on one worker" {
    runs 2 prefetch_sip_ahead_ranks_test 13
}

@test "prefetching changes no result on up to four workers and three servers" {
    runs 7 prefetch_sip_ahead_ranks_test 13
}

@test "one rank is too few" {
    run timeout 300 "$errors" never_put
    [ "$status" -ne 0 ]
    [[ $output == *"1 worker and 1 server need 2 ranks, but there is 1: start more, or choose fewer"* ]]
}

@test "every error names statement, block and cause" {
    local case said wrong=0
    for case in $("$errors" list); do
        # What a rank says just before it ends the job may be lost on its way through mpirun.
        said=$BATS_TEST_TMPDIR/$case
        # shellcheck disable=SC2016
        # The shell that each rank starts expands it.
        run "${launch[@]}" -np 3 sh -c 'exec "$0" "$1" >>"$2"' "$errors" "$case" "$said"
        if [[ $status -eq 0 || $(<"$said") != *"ok $case"* || $(<"$said") == *"not ok"* ]]; then
            echo "$case: status $status: $(<"$said") $output"
            wrong=$((wrong + 1))
        fi
    done
    [ "$wrong" -eq 0 ]
}
