# spmv_samples and spmv_hybrid: what they write for one another, their cuts, and what they refuse.

load helper

setup_file() {
    export SAMPLES=$BATS_FILE_TMPDIR/samples.csv
    "$bin/spmv_samples" -q -n 3 -w 1 --points 8 --edges 4,16 --threads 1 -o "$SAMPLES"
}

@test "bad options end with exit 1 and one sentence" {
    refuses_all <<'TABLE'
spmv_samples|--points 1|out of range
spmv_samples|--points 8 --edges 4,10|8 whole numbers between them
spmv_samples|--points 2 --edges 9,4|whole numbers between them
spmv_samples|--edges 4|whole numbers between them
spmv_samples|--edges 4,x|edges
spmv_samples|--edges 4,2000|edges
spmv_samples|--threads 0,|threads
spmv_samples|--disturb 2|out of range
spmv_samples|--variants bus|bus
spmv_hybrid|--edges 8|--samples FILE is needed
spmv_hybrid|--samples none.csv --edges 8|No such file
spmv_hybrid|--variants cpu --edges 0|edges
spmv_hybrid|--variants exhaustive --exhaustive 1 --edges 4 --cuts 1|out of range
spmv_hybrid|--variants exhaustive --exhaustive 1 --edges 4 --shares 0.5|two shares
spmv_hybrid|--variants exhaustive --exhaustive 1 --edges 4 --shares 1,0|the smaller one first
spmv_hybrid|--variants exhaustive --exhaustive 1 --edges 4 --shares 0,2|shares
spmv_hybrid|--variants cpu --edges 4 --threads 5000|threads
TABLE
}

@test "samples are of all sizes, spread evenly, and one plane crosses the bus" {
    output=$(cat "$SAMPLES")
    [ "$(column edge cpu rep 0 | tr '\n' ' ')" = "4 6 7 9 11 13 14 16 " ]
    [ "$(column rows gpu rep 0 | head -n 1)" -eq 64 ]
    [ "$(column point bus-out rep 2 | tr '\n' ' ')" = "0 1 2 3 4 5 6 7 " ]
    [ "$(column bytes bus-in edge 16 | sort -u)" -eq 2048 ]
    [ "$(column bytes cpu | sort -u)" -eq 0 ]
    [ "$(column threads cpu | sort -u)" -eq 1 ]
    [ "$(column threads gpu | sort -u)" -eq 0 ]
    [ "$(awk -F, 'NR > 1 { print $NF }' <<<"$output" | sort -u)" = pass ]
    [ "$(wc -l <<<"$output")" -eq $((1 + 3 * 4 * 8)) ]
}

@test "the CPU is sampled with all numbers of threads, and disturbed where that is wanted" {
    run_apart "$bin/spmv_samples" "${once[@]}" --points 2 --edges 4,5 --threads 1,2 --disturb 1
    [ "$status" -eq 0 ]
    [ "$(column threads cpu | tr '\n' ' ')" = "1 2 1 2 " ]
    [ "$(column disturbed gpu | sort -u)" -eq 1 ]
}

# The file of samples with times that no other program on this machine can disturb: 3 ns for a row of the CPU, 1 ns
# for one of the GPU (but $3 ns for its samples at point $2), 100 ns for each copy.
undisturbed() {
    awk -F, -v OFS=, -v path="$1" -v point="${2:-none}" -v late="${3:-0}" '
        NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i }
        NR > 1 {
            $column["time_s"] = 1e-7
            if ($2 == "cpu") $column["time_s"] = 3e-9 * $column["rows"]
            if ($2 == "gpu") $column["time_s"] = $column["point"] == point ? late * 1e-9 : 1e-9 * $column["rows"]
        }
        { print > path }' "$SAMPLES"
}

@test "without models of every fourth sample the algorithms cut by all samples, with a note; without any they are waived" {
    undisturbed "$scratch/disturbed.csv" 3 5000
    run_apart "$bin/spmv_hybrid" "${once[@]}" --samples "$scratch/disturbed.csv" --edges 8 --threads 1
    [ "$status" -eq 0 ]
    [ "$(column points hybrid)" -eq 8 ]
    [[ $stderr == *"1 threads: no models of every fourth sample: "*"more rows do not take the GPU more time"* ]]
    undisturbed "$scratch/disturbed.csv" 3 1e9
    local reason="more rows do not take the GPU more time; sample larger cubes"
    run_apart "$bin/spmv_hybrid" "${once[@]}" --samples "$scratch/disturbed.csv" --edges 8 --threads 1
    [ "$status" -eq 0 ]
    [ "$(values variant 'c["status"] == "waived"')" = "linear iterative hybrid" ]
    [ "$(values variant 'c["status"] == "pass"' | tr ' ' '\n' | sort | paste -sd ' ')" = "cpu gpu" ]
    [[ $stderr == *"$reason"* ]]
    for run in "spmv_hybrid --variants linear,hybrid --edges 8 --threads 1" spmv_split; do
        # shellcheck disable=SC2086
        run_apart "$bin/"$run "${once[@]}" --samples "$scratch/disturbed.csv"
        [ "$status" -eq 2 ]
        [[ $stderr == *"RESULT: WAIVED "* ]]
    done
    [[ $stderr == *"$reason"* ]]
}

@test "the algorithms cut by all samples and by every fourth, and products are right" {
    undisturbed "$scratch/samples.csv"
    run_apart "$bin/spmv_hybrid" "${once[@]}" --samples "$scratch/samples.csv" --edges 8,12 --threads 1
    [ "$status" -eq 0 ]
    for variant in linear iterative hybrid; do
        [ "$(column points $variant | tr '\n' ' ')" = "8 2 8 2 " ]
        paste -d ' ' <(column cpu_rows $variant) <(column gpu_rows $variant) <(column rows $variant) |
            awk '$1 < 1 || $2 < 1 || $1 + $2 != $3 { exit 1 }'
    done
    [ "$(column points cpu | sort -u)" -eq 0 ]
    [ "$(column gpu_rows cpu | sort -u)" -eq 0 ]
    [ "$(column cpu_rows gpu | sort -u)" -eq 0 ]
    [ "$(column halo_bytes gpu | sort -u)" -eq 0 ]
    [ "$(column errors hybrid | sort -u)" -eq 0 ]
}

@test "a search goes through all shares, and one plane is exchanged wherever it cuts within the cube" {
    run_apart "$bin/spmv_hybrid" "${once[@]}" --variants cpu,gpu,exhaustive --edges 10 --exhaustive 1 --cuts 5 --threads 1,2
    [ "$status" -eq 0 ]
    [ "$(column cpu_rows exhaustive threads 2 | tr '\n' ' ')" = "0 250 500 750 1000 " ]
    [ "$(column cut exhaustive threads 1 | tr '\n' ' ')" = "0 1 2 3 4 " ]
    [ "$(column halo_bytes exhaustive threads 1 | tr '\n' ' ')" = "0 800 800 800 0 " ]
    [ "$(column exchange_s exhaustive cut 0 | sort -u)" -eq 0 ]
    awk '$1 <= 0 { exit 1 }' <(column exchange_s exhaustive cut 2)
    run_apart "$bin/spmv_hybrid" "${once[@]}" --variants exhaustive --edges 10 --exhaustive 1 --cuts 3 --shares 0.1,0.2 --threads 1
    [ "$(column cpu_rows exhaustive | tr '\n' ' ')" = "100 150 200 " ]
}

@test "what does not fit on the device is refused with its size" {
    [ "${GPU:-soft}" = soft ] || skip "needs a small device"
    SOFTGPU_MEMORY=1M run_apart "$bin/spmv_hybrid" "${once[@]}" --variants gpu --edges 40
    [ "$status" -eq 1 ]
    [[ $stderr == *"RESULT: FAIL 0 rows of 64000 on the CPU: format hll of "*" GB does not fit on the device"* ]]
}

@test "a GPU that is lost ends the programs with a sentence" {
    [ "${GPU:-soft}" = soft ] || skip "only the software GPU can be lost on purpose"
    for run in "spmv_samples --points 2 --edges 4,5" "spmv_hybrid --variants exhaustive --exhaustive 1 --edges 6"; do
        # shellcheck disable=SC2086
        SOFTGPU_FAIL_AFTER=60 run_apart "$bin/"$run "${once[@]}"
        [ "$status" -eq 1 ]
        [[ $stderr == *"RESULT: FAIL "*"the device is unavailable"* ]]
    done
}
