# tuner_sweep, tuner_replay, tuner_trace: thread blocks are measured and searches replayed on them; tuner_synthetic: on generated
# spaces; tuner_transfer: with the times of another kernel.

load helper

setup_file() {
    export SWEEP=$BATS_FILE_TMPDIR/sweep.csv
    "$bin/tuner_sweep" --side 12 --threads 64 --dataset tiny --variants gemm,mvt -n 3 -q -o "$SWEEP" >/dev/null
}

setup() {
    cd "$scratch" || exit 1
}

replay() {
    run_apart "$bin/tuner_replay" --csv --sweep "$SWEEP" --benchmarks gemm,mvt --searches 8 --least-ratio 0.05 --most-ratio 0.5 "$@"
    [ "$status" -eq 0 ]
}

# Everything of the replay in $output but times.
found() {
    columns variant benchmark iterations samples best_p05 best_median best_p95 best_mean
}

@test "a sweep measures and verifies every thread block of the space, on every kernel that is named" {
    output=$(cat "$SWEEP")
    [ "$(column variant gemm | wc -l)" -eq 110 ]
    [ "$(column variant mvt | wc -l)" -eq 110 ]
    [ "$(columns block_x block_y | sort | uniq -c | awk '$1 == 2' | wc -l)" -eq 110 ]
    holds 'c["block_x"] * c["block_y"] <= 64'
    holds 'c["outcome"] == "ok" && c["status"] == "pass" && c["time_s"] > 0 && c["rate_gflops"] > 0'
}

@test "replayed searches are the same bit for bit from a seed, on one core and on all" {
    replay --seed 7
    first=$(found)
    [ "$(wc -l <<<"$first")" -gt 40 ]
    run_apart taskset -c 0 "$bin/tuner_replay" --csv --sweep "$SWEEP" --benchmarks gemm,mvt --searches 8 \
        --least-ratio 0.05 --most-ratio 0.5 --seed 7
    [ "$(found)" = "$first" ]
    replay --seed 8
    [ "$(found)" != "$first" ]
}

@test "more samples find more, up to the whole space" {
    replay --variants random --all-samples --most-ratio 1
    [ "$(columns benchmark samples best_p05 | tail -n 1)" = "mvt 110 1" ]
    column best_mean "" benchmark gemm >means
    [ "$(head -n 1 means)" != "$(tail -n 1 means)" ]
    sort -g -c means
}

@test "a compressed sweep is read as well" {
    gzip -c "$SWEEP" >sweep.csv.gz
    run_apart "$bin/tuner_replay" --csv --sweep sweep.csv.gz --benchmarks mvt --variants random --searches 4 --least-ratio 0.1
    all_right
}

@test "one traced search: constant samples, halved rest, nothing twice and nothing from outside" {
    run_apart "$bin/tuner_trace" --csv --replay "$SWEEP" --benchmark gemm --variants forest,knn --pick-ratio 0.05 --iterations 0
    all_right
    holds 'c["repeated"] == 0 && c["outside"] == 0'
    [ "$(columns variant iteration remaining_before sampled pruned remaining_after | sed -n 1,2p)" = \
        $'knn 1 110 6 52 52\nknn 2 52 6 23 23' ]
    holds 'c["best"] > 0 && c["best"] <= 1'
}

@test "a trace of each pick ratio with each cut ratio" {
    run_apart "$bin/tuner_trace" --csv --replay "$SWEEP" --benchmark gemm --variants knn --pick-ratio 0.05,0.1 --cut-ratio 0.5,0.75
    all_right $((2 * 2 * 3))
    [ "$(columns pick_ratio cut_ratio | uniq | paste -sd ,)" = "0.05 0.5,0.05 0.75,0.1 0.5,0.1 0.75" ]
}

@test "generated spaces: the same from a seed, about half of each second one fails, and local search needs fewer trials than random" {
    synthetic() {
        run_apart "$@" "$bin/tuner_synthetic" --csv -q --kinds smooth,conditional --spaces 1 --searches 4 --limit 60 --variants random,local
        all_right 8
    }
    drawn() {
        columns variant kind space failing points failing_share unmet trials_p05 trials_median trials_p95 found_20 found_50
    }
    synthetic
    first=$(drawn)
    holds 'c["failing"] ? c["failing_share"] > 0.4 && c["failing_share"] < 0.6 : c["failing_share"] == 0'
    holds 'c["trials_p05"] <= c["trials_median"] && c["trials_median"] <= c["trials_p95"] && c["trials_p95"] <= 60'
    holds 'c["found_20"] > 0 && c["found_20"] <= c["found_50"] && c["found_50"] <= 1 && c["found_100"] == ""'
    [ "$(column unmet "" variant random kind smooth failing 0)" -gt "$(column unmet "" variant local kind smooth failing 0)" ]
    synthetic taskset -c 0
    [ "$(drawn)" = "$first" ]
    run_apart "$bin/tuner_synthetic" --csv -q --kinds smooth,conditional --spaces 1 --searches 4 --limit 60 --variants random,local --seed 8
    [ "$(columns points)" != "$(cut -f 5 -d ' ' <<<"$first")" ]
}

@test "what another kernel's times save: with its own ones a search needs at most five trials" {
    run_apart "$bin/tuner_transfer" --csv -q --sweep "$SWEEP" --alike gemm:gemm --unlike mvt:gemm --searches 4 --limit 60
    all_right 4
    [ "$(columns variant pair benchmark known)" = $'alone alike gemm gemm\nfrom alike gemm gemm\nalone unlike mvt gemm\nfrom unlike mvt gemm' ]
    # Two times that are nearly equal may be a tie among those that are known, which have fewer digits.
    holds 'c["correlation"] <= 1 && (c["pair"] == "alike") == (c["correlation"] > 0.999)'
    [ "$(column trials_p95 from pair alike)" -le 5 ]
}

@test "bad input is refused with a sentence" {
    printf 'a,b\n1,2\n' >other.csv
    refuses_all <<TABLE
tuner_sweep|--dataset nono|unknown data set 'nono'; choose from tiny, small, full
tuner_sweep|--threads 0|--threads
tuner_sweep|--side 2000|--side
tuner_replay||--sweep FILE is missing
tuner_replay|--sweep nono.csv|nono.csv: No such file
tuner_replay|--sweep $SWEEP --benchmarks epcc|epcc
tuner_replay|--sweep $SWEEP --benchmarks gemm,|has an empty entry
tuner_replay|--sweep $SWEEP --iterations 0|--iterations
tuner_replay|--sweep other.csv|other.csv has no column time_s
tuner_trace|--replay $SWEEP|--benchmark NAME are needed
tuner_trace|--replay $SWEEP --benchmark gemm --cut-ratio 1|--cut-ratio
tuner_trace|--replay $SWEEP --benchmark gemm --pick-ratio 0|--pick-ratio
tuner_synthetic|--spaces 0|--spaces
tuner_transfer||--sweep FILE is missing
tuner_transfer|--sweep $SWEEP --alike gemm|the pair gemm has no colon: write KERNEL:KNOWN
tuner_transfer|--sweep $SWEEP --alike gemm:epcc|epcc
TABLE
    [ -z "$(ls ./*.json 2>/dev/null)" ]
    # Before the first space is searched.
    refuses "there is no kind of spaces nono: -h has their names" "$bin/tuner_synthetic" --kinds smooth,nono
    [[ $stderr != *"smooth 1"* ]]
}
