# A measured result is expensive: nothing but a complete measured one takes its place, whatever fails on the way.
# RUN_LONG=1: more moments of killing.
# shellcheck disable=SC2086,SC2164,SC2154
# The paths here have no blanks, bats stops at a failed command, and `run` sets status and output.

bats_require_minimum_version 1.5.0
load fixtures/run/setup.bash

# Both files of demo_slow are there, and both are of the same measurement: old (0.002 s) or new (0.001 s).
is_whole() {
    local time
    jq -e '.status == "PASS"' $R/demo_slow.json >/dev/null
    time=$(tail -n 1 $R/demo_slow.csv | cut -d, -f11)
    [ "$(wc -l <$R/demo_slow.csv)" -eq 2 ]
    case $time in
    0.002 | 2e-3) [ "$(jq -r .meta.version $R/demo_slow.json)" = old ] ;;
    *) [ "$(jq -r .meta.version $R/demo_slow.json)" = 1.0 ] ;;
    esac
}

# An older result, which can be told from what is measured next. It is measured once, and is there again each time.
older_result() {
    if [ ! -d older ]; then
        run/experiment --results older demo_slow 2>/dev/null
        sed -i 's/1e-3/2e-3/' older/demo_slow.csv
        jq '.meta.version = "old"' older/demo_slow.json >json && mv json older/demo_slow.json
    fi
    rm -rf ${R:?}
    mkdir -p ${R%/*}
    cp -r older $R
}

@test "each call that changes the results fails in turn: the old result or the new one is whole" {
    gcc -shared -fPIC -O1 "$MAIN/tests/fixtures/run/fail_call.c" -o fail_call.so -ldl
    local errors=(28 30 5) at calls # ENOSPC, EROFS, EIO
    for ((at = 1; ; at++)); do
        older_result
        truncate -s 0 counter && truncate -s 8 counter
        run env LD_PRELOAD="$PWD/fail_call.so" FAIL_UNDER="$PWD/$R" FAIL_AT=$at FAIL_ERRNO=${errors[at % 3]} \
            FAIL_COUNTER="$PWD/counter" run/experiment demo_slow
        echo "call $at, error ${errors[at % 3]}: status $status: $output"
        # Whoever reads next finishes what is left.
        run/collect $R
        is_whole
        calls=$(od -An -td8 counter)
        [ "$calls" -ge "$at" ] || break
    done
    echo "$((at - 1)) calls"
    [ "$at" -gt 10 ]
    # And without any failure the new one is there.
    [ "$(jq -r .meta.version $R/demo_slow.json)" = 1.0 ]
}

@test "a disk that is full at any moment leaves the old result or the new one" {
    older_result
    unshare --mount true 2>/dev/null || skip "only root can make a small file system here"
    local kib measured=0
    for kib in 8 12 16 20 24 28 32 40; do
        run unshare --mount bash -c "
            mount -t tmpfs -o size=${kib}k none $R && cp older/*.csv older/*.json $R/ || exit 9
            $(declare -f is_whole); R=$R
            run/experiment demo_slow && exec 8>measured
            is_whole"
        echo "$kib KiB: status $status: $output"
        [ "$status" -eq 0 ] || [ "$status" -eq 9 ] # 9: no room for the older result
    done
    [ -e measured ] # in the largest one
}

@test "killed at any moment, the old result or the new one is whole" {
    older_result
    local delays=(0.05 0.15 0.25 0.35 0.41 0.45 0.5)
    [ -z "${RUN_LONG:-}" ] || delays+=(0.1 0.2 0.3 0.38 0.43 0.47 0.55 0.6 0.65 0.7)
    for delay in "${delays[@]}"; do
        run/experiment demo_slow 2>/dev/null 3>&- &
        sleep $delay
        kill -9 $! 2>/dev/null || true
        wait $! 2>/dev/null || true
        flock -w 30 $R/.measuring true # what it had begun when it was killed, such as mv, has ended
        run/collect $R
        is_whole
    done
    run -0 run/experiment demo_slow
    [ -z "$(find $R -name '.*.ready' -o -name '.*.??????')" ]
}

@test "what was published before a kill is finished by the next who comes" {
    older_result
    mkdir $R/.demo_slow.ready
    sed 's/2e-3/3e-3/' $R/demo_slow.csv >$R/.demo_slow.ready/demo_slow.csv
    jq '.meta.version = "next"' $R/demo_slow.json >$R/.demo_slow.ready/demo_slow.json
    run/collect $R
    [ "$(query 'SELECT time_s FROM demo_slow')" = 0.003 ]
    [ "$(jq -r .meta.version $R/demo_slow.json)" = next ]
    [ ! -e $R/.demo_slow.ready ]
}

@test "a measured result is never replaced by a waived one: the reason is a note" {
    measure demo_copy
    before=$(cat $R/demo_copy.csv $R/demo_copy.json | cksum)
    run -0 env GPU=cuda PATH="/usr/bin:/bin" run/experiment demo_copy
    says 'waived: it needs a CUDA GPU, and nvidia-smi -L lists none; the measured result is kept'
    [ "$(cat $R/demo_copy.csv $R/demo_copy.json | cksum)" = "$before" ]
    # Also where a program says so itself.
    cp $R/demo_copy.csv $R/demo_waived.csv && cp $R/demo_copy.json $R/demo_waived.json
    run -0 run/experiment demo_waived
    says 'the measured result is kept'
    [ "$(cat $R/demo_waived.csv $R/demo_waived.json | cksum)" = "$before" ]
    # A waived one is replaced by whatever comes.
    rm $R/demo_copy.*
    run -0 env GPU=cuda PATH="/usr/bin:/bin" run/experiment demo_copy
    [ "$(jq -r .status $R/demo_copy.json)" = WAIVED ]
    run -0 run/experiment demo_copy
    [ "$(jq -r .status $R/demo_copy.json)" = PASS ]
}

@test "what is known only for estimates may fail to be written" {
    older_result
    rm -f $R/.durations && mkdir $R/.durations
    run -0 run/experiment demo_slow
    [ "$(jq -r .meta.version $R/demo_slow.json)" = 1.0 ]
}

@test "results of a CUDA GPU do not become those of the software GPU by themselves" {
    cd "$MAIN"
    mkdir -p "$BATS_TEST_TMPDIR/cuda"
    echo 'cuda small' >"$BATS_TEST_TMPDIR/cuda/.settings"
    no_gpu=(env -u GPU PATH="/usr/bin:/bin" CUDA_HOME=/nonexistent make --no-print-directory RESULTS="$BATS_TEST_TMPDIR/cuda" SCALE=small)
    run -2 "${no_gpu[@]}" "$BATS_TEST_TMPDIR/cuda/.settings"
    says "holds results of a CUDA GPU, and none is found now"
    [ "$(cat "$BATS_TEST_TMPDIR/cuda/.settings")" = 'cuda small' ]
    run -0 "${no_gpu[@]}" GPU=soft "$BATS_TEST_TMPDIR/cuda/.settings"
    [ "$(cat "$BATS_TEST_TMPDIR/cuda/.settings")" = 'soft small' ]
}
