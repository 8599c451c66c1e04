# coarrays/hetero: accelerated coarrays and SUMMA: right on any number of images, near and as if far, and what is refused.

load helper

setup() {
    need_program coarrays_summa
    unset CAF_PATH CAF_ACCELERATED CAF_DEBUG
    [ "${GPU:-soft}" != soft ] || export SOFTGPU_DEVICES=2 SOFTGPU_MEMORY=256M
    # MPI does not free all of its own memory.
    export ASAN_OPTIONS=${ASAN_OPTIONS:-detect_leaks=0}
}

once=(-n 1 -w 0 --csv -q)

# on IMAGES OPTIONS...: as ranks.
on() {
    ranks "$1" "$bin/coarrays_summa" "${@:2}"
}

# passed ROWS: so many, all right.
passed() {
    all_right "$1"
    holds 'c["error_ratio"] <= 1'
}

# checks COUNT IMAGES TEST: so many, all right.
checks() {
    need_program "$3"
    ranks "$2" "$tests/$3"
    all_checks "$1"
}

@test "accelerated coarrays of every kind: 1 image" {
    checks 7 1 accelerated_ranks_test
}

@test "accelerated coarrays of every kind: 3 images" {
    checks 7 3 accelerated_ranks_test
}

@test "SUMMA in memory of MPI's windows, where parts of images may share pages" {
    CAF_PATH=rma on 3 "${once[@]}" --order 201 --block 64 --variants caf-pin,caf-um,caf-device
    passed 3
}

@test "SUMMA's parts and its checks: 1 and 4 images" {
    checks 5 1 summa_ranks_test
    checks 5 4 summa_ranks_test
}

@test "SUMMA on 3 images, blocks and panels of unequal size" {
    on 3 "${once[@]}" --order 3,101 --block 1,40
    passed 20
    [ "$(values variant | wc -w)" -eq 5 ]
    holds 'c["images"] == 3 && c["nodes"] == 1'
}

@test "SUMMA on 6 images as if all were on nodes of their own" {
    CAF_ACCELERATED=staged on 6 "${once[@]}" --order 200 --block 64 --variants caf-pin,caf-um,caf-device
    passed 3
}

@test "SUMMA with one GPU for all images" {
    if [ "${GPU:-soft}" = soft ]; then
        export SOFTGPU_DEVICES=1
    fi
    on 2 "${once[@]}" --order 128 -d 0
    passed 5
}

@test "SUMMA within and between two hosts" {
    ranks_on_hosts 2 4 "$bin/coarrays_summa" "${once[@]}" --order 100 --block 30
    passed 5
    holds 'c["nodes"] == 2'
}

@test "one product with what is timed and told" {
    on 2 "${once[@]}" --order 128 --block 50 --variants caf-device
    passed 1
    holds 'c["gflops"] * c["time_s"] * 1e9 / (2 * 128 * 128 * 128) > 0.999'
    holds 'c["gflops"] * c["time_s"] * 1e9 / (2 * 128 * 128 * 128) < 1.001'
    holds 'c["communication_s"] > 0 && c["block"] == 50'
}

@test "without verification there is no error to tell" {
    on 1 "${once[@]}" --order 64 -c 0 --variants mpi
    all_right 1
    holds 'c["error_ratio"] == ""'
}

@test "bad options and a bad environment are one sentence, and the job ends" {
    refuses_all <<'TABLE'
coarrays_summa|--order 0|--order 0: the numbers must be within 1..32768
coarrays_summa|--order 100000|--order 100000: the numbers must be within
coarrays_summa|--order 10,,20|--order ',20' has an empty entry
coarrays_summa|--block 0|--block 0: the numbers must be within
coarrays_summa|--block x|--block x is not a list of whole numbers
coarrays_summa|--variants caf|caf
coarrays_summa|--order 32768|choose smaller
TABLE
    ranks_refuse_all <<<'2|coarrays_summa|--order 1|too small for a grid of 1x2 images'
    CAF_ACCELERATED=somewhere on 2 "${once[@]}" --order 64
    [ "$status" -eq 1 ]
    [[ $stderr == *"RESULT: FAIL "*"CAF_ACCELERATED is 'somewhere'"* ]]
}
