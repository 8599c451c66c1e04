#!/usr/bin/env bats
# coarrays/hetero: accelerated coarrays and SUMMA: right on any number of images, near and as if far, and what is refused.
# shellcheck disable=SC2030,SC2031

setup() {
    cd "$BATS_TEST_DIRNAME/.." || exit 1
    bin=${BIN:-$PWD/build/${GPU:-soft}/bin}
    tests=${UNIT_TEST_FOLDER:-$PWD/build/${GPU:-soft}/test}
    [ -x "$bin/coarrays_summa" ] || skip "no MPI here: the programs were not built"
    scratch=$BATS_TEST_TMPDIR
    unset CAF_PATH CAF_ACCELERATED CAF_DEBUG
    [ "${GPU:-soft}" != soft ] || export SOFTGPU_DEVICES=2 SOFTGPU_MEMORY=256M
    # MPI does not free all of its own memory.
    export ASAN_OPTIONS=${ASAN_OPTIONS:-detect_leaks=0}
}

launch() {
    local launch=(timeout 300 "${MPIRUN:-mpirun}" --oversubscribe --bind-to none -np "$1")
    [ "$(id -u)" -ne 0 ] || launch+=(--allow-run-as-root)
    "${launch[@]}" "${@:2}"
}

# on IMAGES OPTIONS...: runs coarrays_summa; stdout in $output, stderr in $stderr.
on() {
    status=0
    output=$(launch "$1" "$bin/coarrays_summa" "${@:2}" 2>"$scratch/stderr") || status=$?
    stderr=$(cat "$scratch/stderr")
}

once=(-n 1 -w 0 --csv -q)

# cells COLUMN [CONDITION]: the column of the rows in $output for which an awk condition on c["name"] holds.
cells() {
    awk -F, -v name="$1" 'NR == 1 { for (i = 1; i <= NF; i++) column[i] = $i; next }
        { for (i = 1; i <= NF; i++) c[column[i]] = $i } '"${2:-1}"' { print c[name] }' <<<"$output"
}

# passed ROWS: so many, all right.
passed() {
    echo "$output"
    echo "$stderr"
    [ "$status" -eq 0 ]
    [ "$(cells status 'c["status"] == "pass" && c["errors"] == 0 && c["error_ratio"] <= 1' | wc -l)" -eq "$1" ]
    [ "$(cells status | wc -l)" -eq "$1" ]
}

# checks COUNT IMAGES TEST: so many, all right.
checks() {
    run launch "$2" "$tests/$3"
    echo "$output"
    [ "$status" -eq 0 ]
    [ "$(grep -c '^ok ' <<<"$output")" -eq "$1" ]
    [ "$(grep -c '^not ok ' <<<"$output")" -eq 0 ]
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
    [ "$(cells variant | sort -u | wc -l)" -eq 5 ]
    [ "$(cells images 'c["images"] == 3 && c["nodes"] == 1' | wc -l)" -eq 20 ]
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
    # shellcheck source=run/needs.sh
    reason=$(source run/needs.sh && unmet_cluster)
    [ -z "$reason" ] || skip "$reason"
    status=0
    output=$(timeout 300 run/cluster mpirun --name "summa-$$" --hosts 2 -np 4 "$bin/coarrays_summa" "${once[@]}" --order 100 --block 30 \
        2>"$scratch/stderr") || status=$?
    stderr=$(cat "$scratch/stderr")
    passed 5
    [ "$(cells nodes | sort -u)" = 2 ]
}

@test "one product with what is timed and told" {
    on 2 "${once[@]}" --order 128 --block 50 --variants caf-device
    passed 1
    awk -v n=128 -v gflops="$(cells gflops)" -v time_s="$(cells time_s)" \
        'BEGIN { ratio = gflops * time_s * 1e9 / (2 * n * n * n); exit !(ratio > 0.999 && ratio < 1.001) }'
    awk -v communication_s="$(cells communication_s)" 'BEGIN { exit !(communication_s > 0) }'
    [ "$(cells block)" -eq 50 ]
}

@test "bad options and a bad environment are one sentence, and the job ends" {
    while IFS='|' read -r images environment options expected; do
        # shellcheck disable=SC2086
        CAF_ACCELERATED=$environment on "$images" "${once[@]}" $options
        echo "$options: status $status, $stderr"
        [ "$status" -eq 1 ]
        [ "$(grep -c "^RESULT: FAIL .*$expected" <<<"$stderr")" -ge 1 ]
    done <<'TABLE'
1|direct|--order 0|--order
1|direct|--order 100000|--order
1|direct|--order 10,,20|--order
1|direct|--block 0|--block
1|direct|--block x|--block
2|direct|--order 1|too small for a grid of 1x2 images
1|direct|--variants caf|caf
1|direct|--order 32768|choose smaller
2|somewhere|--order 64|CAF_ACCELERATED is 'somewhere'
TABLE
}
