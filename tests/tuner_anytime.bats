# More budget is never worse: on recorded sweeps a longer search is the shorter one and then more.
# SEARCHES=N: all kernels of all machines, N seeds each, with and without what a related kernel tells.

load helper

setup() {
    need_program tuner
}

# anytime SWEEP KERNEL SEED [OPTIONS]: the trials of 30 are the first of 90, and the best of 90 is at least as good.
anytime() {
    local sweep=$1 kernel=$2 seed=$3 trials
    shift 3
    for trials in 30 90; do
        "$bin/tuner" --replay "$sweep" --where variant="$kernel" --seed "$seed" --trials $trials --log "$scratch/$trials.csv" -q "$@" >"$scratch/$trials.out"
    done
    [ "$(wc -l <"$scratch/30.csv")" -eq 31 ]
    cmp "$scratch/30.csv" <(head -n 31 "$scratch/90.csv")
    awk '/of the best of the table/ { share[FILENAME] = $1 } END { for (f in share) n++; exit !(n == 2) }' "$scratch/30.out" "$scratch/90.out"
    [ "$(sed -n 's/ of the best of the table//p' "$scratch/30.out" "$scratch/90.out" | sort -g | tail -n 1)" = \
        "$(sed -n 's/ of the best of the table//p' "$scratch/90.out")" ]
    rm "$scratch/30.csv" "$scratch/90.csv"
}

@test "a longer search is the shorter one and more, on recorded sweeps" {
    local sweep kernel seed
    for sweep in results/*/tuner_sweep.csv.gz; do
        zcat "$sweep" | cut -d, -f2 | tail -n +2 | sort -u >"$scratch/kernels"
        [ -s "$scratch/kernels" ]
        for kernel in $(if [ -n "${SEARCHES:-}" ]; then cat "$scratch/kernels"; else sed -n 1p "$scratch/kernels"; fi); do
            for ((seed = 1; seed <= ${SEARCHES:-1}; seed++)); do
                anytime "$sweep" "$kernel" "$seed"
                [ -z "${SEARCHES:-}" ] || anytime "$sweep" "$kernel" "$seed" --from results/nvidia-h200/tuner_sweep.csv.gz
            done
        done
    done
}
