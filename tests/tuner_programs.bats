#!/usr/bin/env bats
# tuner_sweep, tuner_replay, tuner_trace: thread blocks are measured and searches replayed on them.
# shellcheck disable=SC2030,SC2031,SC2154
bats_require_minimum_version 1.5.0

setup_file() {
    export BIN=${BIN:-$BATS_TEST_DIRNAME/../build/${GPU:-soft}/bin}
    export SWEEP=$BATS_FILE_TMPDIR/sweep.csv
    "$BIN/tuner_sweep" --side 12 --threads 64 --dataset tiny --variants gemm,mvt -n 3 -q -o "$SWEEP" >/dev/null
}

setup() {
    cd "$BATS_TEST_TMPDIR" || exit 1
}

# values FILE COLUMN...: these columns of a CSV, with commas.
values() {
    local file=$1
    shift
    awk -F, -v names="$*" 'NR == 1 { n = split(names, wanted, " "); for (i = 1; i <= NF; i++) place[$i] = i }
        { line = ""; for (i = 1; i <= n; i++) line = line (i > 1 ? "," : "") $place[wanted[i]]; print line }' "$file"
}

# Everything of a replay but times.
found() {
    values "$1" variant benchmark iterations samples best_p05 best_median best_p95 best_mean
}

replay() {
    "$BIN/tuner_replay" --sweep "$SWEEP" --benchmarks gemm,mvt --searches 8 --least-ratio 0.05 --most-ratio 0.5 -q "$@" >/dev/null
}

@test "a sweep measures and verifies every thread block of the space, on every kernel that is named" {
    [ "$(values "$SWEEP" variant | grep -c gemm)" -eq 110 ]
    [ "$(values "$SWEEP" variant | grep -c mvt)" -eq 110 ]
    [ "$(values "$SWEEP" block_x block_y | sort | uniq -c | awk '$1 == 2' | wc -l)" -eq 110 ]
    [ "$(values "$SWEEP" block_x block_y | awk -F, 'NR > 1 && $1 * $2 > 64' | wc -l)" -eq 0 ]
    [ "$(values "$SWEEP" outcome status | sort -u)" = $'ok,pass\noutcome,status' ]
    [ "$(values "$SWEEP" time_s rate_gflops | awk -F, 'NR > 1 && !($1 > 0 && $2 > 0)' | wc -l)" -eq 0 ]
}

@test "replayed searches are the same bit for bit from a seed, on one core and on all" {
    replay --seed 7 -o first.csv
    taskset -c 0 "$BIN/tuner_replay" --sweep "$SWEEP" --benchmarks gemm,mvt --searches 8 --least-ratio 0.05 --most-ratio 0.5 \
        -q --seed 7 -o second.csv >/dev/null
    found first.csv >first
    found second.csv >second
    cmp first second
    [ "$(wc -l <first)" -gt 40 ]
    replay --seed 8 -o third.csv
    found third.csv >third
    run ! cmp -s first third
}

@test "more samples find more, up to the whole space" {
    replay --variants random --all-samples --most-ratio 1 -o random.csv
    [ "$(values random.csv benchmark samples best_p05 | tail -n 1)" = mvt,110,1 ]
    values random.csv benchmark best_mean | awk -F, '$1 == "gemm" { print $2 }' >means
    [ "$(head -n 1 means)" != "$(tail -n 1 means)" ]
    sort -g -c means
}

@test "a compressed sweep is read as well" {
    gzip -c "$SWEEP" >sweep.csv.gz
    run -0 "$BIN/tuner_replay" --sweep sweep.csv.gz --benchmarks mvt --variants random --searches 4 --least-ratio 0.1
    [[ $output == *'RESULT: PASS'* ]]
}

@test "one traced search: constant samples, halved rest, nothing twice and nothing from outside" {
    run -0 "$BIN/tuner_trace" --replay "$SWEEP" --benchmark gemm --variants forest,knn --pick-ratio 0.05 --iterations 0 -q -o trace.csv
    [ "$(values trace.csv repeated outside | sort -u | head -n 1)" = 0,0 ]
    [ "$(values trace.csv variant iteration remaining_before sampled pruned remaining_after | sed -n 2,3p)" = \
        $'knn,1,110,6,52,52\nknn,2,52,6,23,23' ]
    [ "$(values trace.csv best | tail -n 1)" != best ]
}

refused() {
    local sentence=$1
    shift
    run -1 "$@"
    [[ $output == *"$sentence"* ]] || { echo "$output"; false; }
}

@test "bad input is refused with a sentence" {
    refused 'no data set nono' "$BIN/tuner_sweep" --dataset nono
    refused '--threads' "$BIN/tuner_sweep" --threads 0
    refused '--side' "$BIN/tuner_sweep" --side 2000
    refused '--sweep FILE is missing' "$BIN/tuner_replay"
    refused 'nono.csv' "$BIN/tuner_replay" --sweep nono.csv
    refused 'epcc' "$BIN/tuner_replay" --sweep "$SWEEP" --benchmarks epcc
    refused '--iterations' "$BIN/tuner_replay" --sweep "$SWEEP" --iterations 0
    printf 'a,b\n1,2\n' >other.csv
    refused 'other.csv' "$BIN/tuner_replay" --sweep other.csv
    [ -z "$(ls ./*.json 2>/dev/null)" ]
}
