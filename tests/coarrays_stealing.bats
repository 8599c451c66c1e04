# coarrays/: uneven work balanced by stealing tasks or handing on threads: its C test, its rows, and what it refuses.

load helper

setup() {
    need_program coarrays_stealing
    export ASAN_OPTIONS=${ASAN_OPTIONS:-detect_leaks=0} # MPI keeps what it has
    unset "${!CAF_@}" "${!OMP_@}" GOMP_CPU_AFFINITY
}

once=(-n 1 -w 0 --csv -q)

# on IMAGES OPTIONS...: as ranks.
on() {
    ranks "$1" "$bin/coarrays_stealing" "${@:2}"
}

# checks IMAGES: every check of the C test passes.
checks() {
    need_program stealing_ranks_test
    ranks "$1" "$tests/stealing_ranks_test" 40
    all_checks 7
}

@test "no task and no result is lost: one, two and four images" {
    for images in 1 2 4; do
        checks $images
    done
}

@test "no task and no result is lost over MPI's windows" {
    CAF_PATH=rma checks 3
}

@test "no task and no result is lost on two nodes, and threads stay on theirs" {
    ranks_on_hosts 2 4 "$bin/coarrays_stealing" --tasks 8 --operations 100000 --skew 50 --threads 1 --bytes 512 "${once[@]}"
    all_right 3
    holds 'c["nodes"] == 2 && (c["variant"] != "thread" || c["threads_most"] <= 2)'
}

@test "bad options end with exit 1 and one sentence" {
    refuses_all <<'TABLE'
coarrays_stealing|--threads 0|the numbers must be within 1..
coarrays_stealing|--threads 1,,2|has an empty entry
coarrays_stealing|--bytes 0|the numbers must be within 8..
coarrays_stealing|--bytes 65536 --operations 1000|too few to read all
coarrays_stealing|--bytes 1073741824 --operations 1000000000 --tasks 100000|choose smaller sizes
coarrays_stealing|--skew 0.5|out of range
TABLE
    ranks_refuse_all <<<'2|coarrays_stealing|--bytes 12|multiple of 8'
}

@test "settings of OpenMP under which threads cannot be handed are refused" {
    OMP_PROC_BIND=true ranks_refuse_all <<<'2|coarrays_stealing|--bytes 64|binds threads to cores'
    OMP_THREAD_LIMIT=3 ranks_refuse_all <<<'2|coarrays_stealing|--threads 2 --bytes 64|OMP_THREAD_LIMIT leaves'
}

@test "the help names the options" {
    run "$bin/coarrays_stealing" -h
    [ "$status" -eq 0 ]
    [[ $output == *--threads*--bytes*--skew*--tasks*--operations* && $output == *time_s* ]]
}

@test "one image has nobody to help" {
    on 1 --tasks 5 --operations 20000 --threads 1,2 --bytes 8,800 "${once[@]}"
    all_right 12
    holds 'c["stolen"] == 0 && c["lambda"] == 0 && c["threads_most"] == c["threads"]'
    [ "$(column bytes thread)" = $'8\n8\n800\n800' ]
}

@test "four images, more threads than cores: the slow ones are helped" {
    # How even the work becomes depends on who gets the cores: one of five runs has to show it.
    local attempt even='c["variant"] != "process" || (c["stolen"] > 0 && c["lambda"] < 98 && c["threads_most"] == c["threads"])'
    for attempt in 1 2 3 4 5; do
        on 4 --tasks 32 --skew 200 --threads 1,3 --bytes 8000 --operations 1000000 "${once[@]}"
        all_right 6
        ! holds "$even" || break
    done
    holds "$even"
    holds 'c["variant"] != "none" || (c["stolen"] == 0 && c["threads_most"] == c["threads"])'
    holds 'c["variant"] == "process" || (c["lambda"] > 98 && c["lambda"] < 99.5)'
    holds 'c["variant"] != "thread" ||
        (c["stolen"] >= c["threads"] && c["threads_most"] > c["threads"] && c["threads_most"] <= 4 * c["threads"])'
    [ "$(column threads thread)" = $'1\n3' ]
}

@test "even work is balanced from the start" {
    on 2 --tasks 4 --operations 20000 --skew 1 --threads 1 --bytes 64 --variants none "${once[@]}"
    all_right 1
    holds 'c["lambda"] == 0 && c["stolen"] == 0'
}

@test "threads may use the cores of all images, also where the launcher binds images to cores" {
    [ "$(nproc)" -ge 2 ] || skip "one core"
    set_launch 2
    run_apart "${launch[@]/none/core}" "$bin/coarrays_stealing" --tasks 4 --operations 20000 --threads 2 --bytes 64 "${once[@]}"
    all_right 3
    holds 'c["cores"] == 2'
}

@test "another seed is other data, with right results" {
    on 2 --tasks 4 --operations 20000 --threads 1 --bytes 64 --seed 2 "${once[@]}"
    all_right 3
}
