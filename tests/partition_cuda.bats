# partition on real GPUs: programs for one GPU, started with libpartition.so on each number of the machine's GPUs, give the
# bits that they give without it. What the software GPU can show, partition_programs.bats shows.

load helper

setup() {
    [ "${GPU:-soft}" = cuda ] || skip "needs GPU=cuda"
    programs=$bin/../partition
    gpus=$(nvidia-smi -L | wc -l)
}

# The application $1 with options, without the run time and with it on 1 to all GPUs.
same_program() {
    local expected=$scratch/$1-expected result=$scratch/$1-result devices
    timeout 300 "$programs/$1" "${@:2}" --output "$expected" >/dev/null || return 1
    for ((devices = 1; devices <= gpus; devices++)); do
        rm -f "$result"
        PARTITION_DEVICES=$devices PARTITION_STATISTICS=$scratch/$1-statistics LD_PRELOAD=$programs/libpartition.so timeout 300 \
            "$programs/$1" "${@:2}" --output "$result" >/dev/null || return 1
        cmp "$expected" "$result" || return 1
        grep -q "^launches [1-9]" "$scratch/$1-statistics" || return 1
        grep -qx "one_device ${one_device:-0}" "$scratch/$1-statistics" || return 1
    done
    rm -f "$expected" "$result"
    echo "$1: the same bits on 1 to $gpus GPUs"
}

# Applications beside one another: most of a run is the driver's start. Each must say that it is the same.
same_programs() {
    local line pids=() failed=0
    rm -f "$scratch"/log-*
    while read -r line; do
        # shellcheck disable=SC2086 # a line is a command line
        same_program $line >"$scratch/log-${line%% *}" 2>&1 &
        pids+=($!)
    done
    for line in "${pids[@]}"; do
        wait "$line" || failed=1
    done
    cat "$scratch"/log-*
    [ "$failed" -eq 0 ]
}

@test "applications give the same bits on each number of GPUs (LD_PRELOAD)" {
    same_programs <<'END'
matmul --n 1024
matmul_rows --n 1030
matmul_tiled --n 512
stencil --n 2000 --iterations 50
stencil9 --n 1000 --iterations 20
nbody --n 8192 --iterations 5
END
    same_programs <<'END'
nbody_soft --n 8192 --iterations 5
stencil3d --n 128 --iterations 10
conv2d --n 1500
reduction --n 65536
chain --n 1000003 --iterations 10
refine --n 1000003
END
    same_program histogram --n 100000 --iterations 1
}

@test "settings change how the bits come about, not the bits (real GPUs)" {
    for setting in HTOD=broadcast HTOD=lazy ACCESS=rows SPLIT=x SPLIT=xy COALESCE=0 READ_WHOLE=1 CACHE=0 PULL_BYTES=0; do
        export "PARTITION_$setting"
        same_programs <<'END'
stencil --n 1000 --iterations 20
conv2d --n 700
nbody --n 4096 --iterations 3
END
        unset "PARTITION_${setting%=*}"
    done
}
