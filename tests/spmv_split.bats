# spmv_split: the three algorithms on samples of known models, its output, and what it refuses.

load helper

split() {
    run_apart "$bin/spmv_split" "$@"
}

# Samples of $1 sizes of edge 10, 20, ...: CPU $2 ns and GPU $3 ns per row, GPU $4 us and bus $5 us at least. $6: the CPU is that
# many times slower from 100000 rows on.
samples() {
    awk -v points="$1" -v cpu="$2" -v gpu="$3" -v launch="$4" -v bus="$5" -v slower="${6:-1}" '
        function sample(variant, time) {
            printf "e,%s,soft,h,0,1,1,0,%d,%d,%d,%d,2,0,%d,,,%.9g,0,pass\n", variant, points, i, rows, edge, bytes, time
        }
        BEGIN {
            print "experiment,variant,gpu,host,rank,ranks,gpus,rep,points,point,rows,edge,threads,disturbed,bytes,gflops," \
                "bandwidth_gbs,time_s,errors,status"
            for (i = 0; i < points; i++) {
                edge = 10 * (i + 1)
                rows = edge ^ 3
                bytes = 0
                sample("cpu", 1e-9 * cpu * (rows < 1e5 ? rows : 1e5 + slower * (rows - 1e5)))
                sample("gpu", 1e-9 * gpu * rows + 1e-6 * launch)
                bytes = 8 * edge ^ 2
                sample("bus-in", 1e-6 * bus + bytes / 1e11)
                sample("bus-out", 1e-6 * bus + bytes / 1e11)
            }
        }'
}

@test "bad options and files end with exit 1 and one sentence" {
    echo mine >"$scratch/other.csv"
    samples 1 4 1 1 0 >"$scratch/one.csv"
    samples 4 4 1 1 0 | gzip | head -c 100 >"$scratch/cut.csv.gz"
    samples 4 4 1 1 0 | sed 's/^e,cpu\(.*\)pass$/e,cpu\1fail/' >"$scratch/wrong.csv"
    samples 4 4 1 1 0 >"$scratch/good.csv"
    refuses_all <<TABLE
spmv_split||--samples FILE is needed
spmv_split|--samples $scratch/none.csv|No such file
spmv_split|--samples $scratch/other.csv|other.csv:1: there is no column variant
spmv_split|--samples $scratch/one.csv|it needs samples of two sizes
spmv_split|--samples $scratch/cut.csv.gz|damaged or cut off
spmv_split|--samples $scratch/wrong.csv|status of the sample is 'fail'
spmv_split|--samples $scratch/good.csv --rows 0|rows
spmv_split|--samples $scratch/good.csv --rows 1e6|rows
spmv_split|--samples $scratch/good.csv --rows=|rows
spmv_split|--samples $scratch/good.csv --variants exhaustive|exhaustive
TABLE
}

@test "straight models are balanced: four times the speed gets four times the rows" {
    samples 8 4 1 0 0 >"$scratch/samples.csv"
    split --samples "$scratch/samples.csv" --rows 400000 "${once[@]}"
    [ "$status" -eq 0 ]
    for variant in linear iterative hybrid; do
        for points in 8 2; do
            # The bus's bytes shift a few rows.
            cpu_rows=$(column cpu_rows "$variant" step 0 rows 400000 points "$points")
            echo "$variant $points: $cpu_rows"
            [ $((cpu_rows / 500)) -eq 160 ]
            gpu_rows=$(column gpu_rows "$variant" step 0 rows 400000 points "$points")
            [ $((cpu_rows + gpu_rows)) -eq 400000 ]
        done
    done
    awk '$1 > 1e-9 { exit 1 }' <<<"$(column formula_residual linear step 0)"
    awk '$1 != "1" { exit 1 }' <<<"$(column gpu_faster "" step 0)"
}

@test "a knee in the CPU's time deceives the line, not the samples" {
    samples 16 2 0.5 5 1 4 | gzip >"$scratch/samples.csv.gz"
    split --samples "$scratch/samples.csv.gz" --rows 300000,1000000,4000000 "${once[@]}"
    [ "$status" -eq 0 ]
    awk '$1 > 1e-4 { exit 1 }' <<<"$(column imbalance iterative step 0)"
    awk '$1 > 0.05 { wide = 1 } END { exit !wide }' <<<"$(column imbalance linear step 0)"
    awk '$1 > 0.99999 { exit 1 }' <<<"$(column cpu_r2 "" step 0)"
    awk '$1 < 0.99999 { exit 1 }' <<<"$(column gpu_r2 "" step 0)"
    paste <(column cpu_squared_error "" step 0) <(column gpu_squared_error "" step 0) | awk '$1 < 1e6 * $2 { exit 1 }'
}

@test "steps halve the bracket of the common time, and there are at most 30" {
    samples 16 2 0.5 5 1 4 >"$scratch/samples.csv"
    split --samples "$scratch/samples.csv" --rows 1000000 --variants iterative "${once[@]}"
    [ "$status" -eq 0 ]
    steps=$(column steps "" step 0 points 16)
    echo "$steps steps"
    [ "$steps" -ge 15 ]
    [ "$steps" -le 30 ]
    [ "$(column step "" points 16 | tail -n 1)" -eq "$steps" ]
    column level_s "" points 16 | awk '
        function distance(a, b) { return a < b ? b - a : a - b }
        NR > 3 && NR < 15 { now = distance($1, last); if (distance(now, before / 2) > 0.01 * now) exit 1 }
        NR > 2 { before = distance($1, last) }
        { last = $1 }'
    awk 'NR > 1 { x = $1 } END { exit !(x < 1e-6 && x > -1e-6) }' <<<"$(column imbalance "" points 16)"
}

@test "a GPU slower than the CPU is reported, and with --alone gets nothing" {
    samples 8 1 10 100 0 >"$scratch/samples.csv"
    split --samples "$scratch/samples.csv" --rows 500000 "${once[@]}"
    [ "$status" -eq 0 ]
    [[ $stderr == *"the GPU is slower than the CPU at all sizes"* ]]
    awk '$1 != 0 { exit 1 }' <<<"$(column gpu_faster "" step 0)"
    [ "$(column gpu_rows iterative step 0 points 8)" -gt 0 ]

    samples 8 1 10 10000 0 >"$scratch/hopeless.csv"
    split --samples "$scratch/hopeless.csv" --rows 500000 --variants linear,iterative "${once[@]}"
    [ "$(column gpu_rows iterative step 0 points 8)" -eq 1 ]
    split --samples "$scratch/hopeless.csv" --rows 500000 --variants linear,iterative --alone "${once[@]}"
    [ "$status" -eq 0 ]
    [ "$(column gpu_rows "" step 0 | sort -u)" = 0 ]
    [[ $stderr == *"CPU alone"* ]]
}

@test "a bus that costs more than it saves leaves the CPU without rows, if it may" {
    samples 8 10 0.1 1 1000 >"$scratch/samples.csv"
    split --samples "$scratch/samples.csv" --rows 500000 --alone "${once[@]}"
    [ "$status" -eq 0 ]
    [ "$(column cpu_rows "" step 0 | sort -u)" = 0 ]
    split --samples "$scratch/samples.csv" --rows 500000 "${once[@]}"
    [ "$(column cpu_rows "" step 0 | sort -n | head -n 1)" -ge 1 ]
}

@test "the sizes are those of the samples unless --rows says others; few samples have no coarse models" {
    samples 4 4 1 1 0 >"$scratch/samples.csv"
    split --samples "$scratch/samples.csv" --variants linear "${once[@]}"
    [ "$status" -eq 0 ]
    [ "$(column rows)" = $'1000\n8000\n27000\n64000' ]
    [ "$(column points | sort -u)" = 4 ]
    [[ $stderr == *"no models of every fourth sample: there are "*" samples, and at least 8 are needed"* ]]
}
