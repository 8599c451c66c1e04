#!/usr/bin/env bats
# rdma/: the program rdma_pingpong: its rows, its checks, and what it refuses.

setup() {
    cd "$BATS_TEST_DIRNAME/.." || exit 1
    bin=${BIN:-$PWD/build/${GPU:-soft}/bin}
    [ -x "$bin/rdma_pingpong" ] || skip "no MPI here: the program was not built"
    scratch=$BATS_TEST_TMPDIR
    export SOFTGPU_DEVICES=2
}

# on RANKS OPTIONS...: runs it; stdout in $output, stderr in $stderr.
on() {
    local launch=(timeout 300 "${MPIRUN:-mpirun}" --oversubscribe --bind-to none -np "$1")
    [ "$(id -u)" -ne 0 ] || launch+=(--allow-run-as-root)
    status=0
    output=$("${launch[@]}" "$bin/rdma_pingpong" "${@:2}" 2>"$scratch/stderr") || status=$?
    stderr=$(cat "$scratch/stderr")
}

once=(-n 1 -w 0 --inner 1 --csv)

# cells COLUMN [CONDITION]: the column of the measured rows in $output for which an awk condition on c["name"] holds.
cells() {
    awk -F, -v name="$1" 'NR == 1 { for (i = 1; i <= NF; i++) column[i] = $i; next }
        { for (i = 1; i <= NF; i++) c[column[i]] = $i } c["status"] != "waived" && ('"${2:-1}"') { print c[name] }' <<<"$output"
}

# passed CONDITION: the program did, and the condition holds in every measured row, of which there are some.
passed() {
    echo "$stderr"
    [ "$status" -eq 0 ]
    [ -n "$(cells status)" ]
    [ -z "$(cells variant "c[\"status\"] != \"pass\" || c[\"errors\"] != 0 || !($1)")" ] || {
        echo "not in all rows: $1" && cells variant "!($1)"
        false
    }
}

@test "bad options are one sentence, and the job ends" {
    while IFS='|' read -r options expected; do
        # shellcheck disable=SC2086
        on 2 $options
        echo "$options: status $status, $stderr"
        [ "$status" -eq 1 ]
        [ -z "$output" ]
        grep -q "^RESULT: FAIL .*$expected" <<<"$stderr"
    done <<'TABLE'
--pairs D-X|a pair is two of H, P and D
--pairs D-D,all|a pair is two of H, P and D
--pairs DD|a pair is two of H, P and D
--modes ping|the modes are latency, bandwidth and both
--sizes 0|at least 1 byte
--stress 2000|stress
--variants host --pairs D-D|none of the variants of --variants goes between any of the places D-D
TABLE
}

@test "there are two ranks, not one and not three" {
    run timeout 300 "$bin/rdma_pingpong" --sizes 8
    [ "$status" -eq 1 ]
    [[ $output == *"start it with mpirun -np 2"* ]]
    on 3 --sizes 8
    [ "$status" -eq 1 ]
    [[ $stderr == *"start it with mpirun -np 2"* ]]
}

@test "all paths bring right data for all pairs of places, in all modes" {
    on 2 "${once[@]}" --pairs all --modes latency,bandwidth,both --window 3 --sizes 1,4097
    passed 'c["stress"] == 0 && c["window"] == (c["mode"] == "latency" ? 1 : 3)'
    for size in 1 4097; do
        for mode in latency bandwidth both; do
            [ "$(cells variant "c[\"mode\"] == \"$mode\" && c[\"bytes\"] == $size && c[\"variant\"] == \"host\"" | wc -l)" -eq 4 ]
            [ "$(cells variant "c[\"mode\"] == \"$mode\" && c[\"bytes\"] == $size && c[\"variant\"] == \"staged\"" | wc -l)" -eq 5 ]
        done
    done
    [ "$(cells pair 'c["variant"] == "limit"' | sort -u)" = "D D" ]
    [ "$(cells pair 'c["variant"] == "peer-copy"' | sort -u)" = $'D D\nD P\nP D' ]
    [ "$(cells pair 'c["variant"] == "peer-store"' | sort -u)" = $'D D\nD P\nP D' ]
    [ "$(cells pair 'c["variant"] == "host"' | sort -u)" = $'H H\nH P\nP H\nP P' ]
}

@test "bandwidth is that of one direction, or the sum of both" {
    on 2 "${once[@]}" --variants staged,pipelined-shared,limit --modes bandwidth,both --window 2 --sizes 64K
    passed 'c["bandwidth_gbs"] * c["time_s"] * 1e9 / c["bytes"] / (c["mode"] == "both" ? 2 : 1) - 1 < 1e-6'
    passed 'c["bandwidth_gbs"] * c["time_s"] * 1e9 / c["bytes"] / (c["mode"] == "both" ? 2 : 1) - 1 > -1e-6'
    [ "$(cells variant | wc -l)" -eq 6 ]
}

@test "a window of large blocks has fewer of them" {
    on 2 "${once[@]}" --variants staged --modes bandwidth --window 8 --window-bytes 256K --sizes 16K,64K,512K
    passed 1
    [ "$(cells window)" = $'8\n4\n1' ]
}

@test "threads copy through host memory while paths are measured" {
    on 2 "${once[@]}" -v --variants staged,limit --modes bandwidth --window 2 --sizes 64K --stress 0,1
    passed 1
    [ "$(cells stress | sort | uniq -c | tr -s ' ')" = $' 2 0\n 2 1' ]
    [ "$(grep -o "rank [01]: 1 threads copied [0-9.]* GB/s meanwhile" <<<"$stderr" | wc -l)" -eq 2 ]
}

@test "one GPU serves both ranks" {
    SOFTGPU_DEVICES=1 on 2 "${once[@]}" --variants staged,pipelined,limit --modes both --window 2 --sizes 4096
    passed 1
    [ "$(cells variant | wc -l)" -eq 3 ]
}

@test "a path that cannot be taken is left out with one note, and alone waives the program" {
    [ "${GPU:-soft}" = soft ] || skip "a real GPU may have it"
    on 2 "${once[@]}" --variants staged,nccl --modes latency --sizes 8,16
    passed 'c["variant"] == "staged"'
    [ "$(grep -c "nccl is waived: " <<<"$stderr")" -eq 1 ]
    on 2 "${once[@]}" --variants nccl --modes latency --sizes 8,16
    [ "$status" -eq 2 ]
    [[ $stderr == *"RESULT: WAIVED "* ]]
}
