# rdma/: the program rdma_pingpong: its rows, its checks, and what it refuses.

load helper

setup() {
    need_program rdma_pingpong
    export SOFTGPU_DEVICES=2
}

# on OPTIONS...: on two ranks, without the rows of variants that cannot run here.
on() {
    ranks 2 "$bin/rdma_pingpong" "$@"
    output=$(grep -v ',waived$' <<<"$output" || true)
}

once=(-n 1 -w 0 --inner 1 --csv)

@test "bad options end with exit 1 and one sentence" {
    refuses_all <<'TABLE'
rdma_pingpong|--sizes 8|start it with mpirun -np 2
rdma_pingpong|--pairs D-X|unknown pair 'D-X'; choose from H-H, H-P, H-D, P-H, P-P, P-D, D-H, D-P, D-D, all
rdma_pingpong|--pairs DD|unknown pair 'DD'
rdma_pingpong|--modes ping|unknown mode 'ping'; choose from latency, bandwidth, both
rdma_pingpong|--sizes 0|a size must be at least 1
rdma_pingpong|--stress 2000|stress
TABLE
}

@test "what all ranks see is a sentence, and the job ends" {
    while IFS='|' read -r ranks options expected; do
        # shellcheck disable=SC2086
        ranks "$ranks" "$bin/rdma_pingpong" $options </dev/null
        [ "$status" -eq 1 ]
        [ -z "$output" ]
        grep -q "^RESULT: FAIL .*$expected" <<<"$stderr"
    done <<'TABLE'
3|--sizes 8|start it with mpirun -np 2
2|--pairs D-D,all|all is all nine, and stands alone
2|--variants host --pairs D-D|none of the variants of --variants goes between any of the places D-D
TABLE
}

@test "all paths bring right data for all pairs of places, in all modes" {
    on "${once[@]}" --pairs all --modes latency,bandwidth,both --window 3 --sizes 1,4097
    all_right
    holds 'c["stress"] == 0 && c["window"] == (c["mode"] == "latency" ? 1 : 3)'
    for bytes in 1 4097; do
        for mode in latency bandwidth both; do
            [ "$(column variant host mode $mode bytes $bytes | wc -l)" -eq 4 ]
            [ "$(column variant staged mode $mode bytes $bytes | wc -l)" -eq 5 ]
        done
    done
    [ "$(column pair limit | sort -u)" = "D D" ]
    [ "$(column pair peer-copy | sort -u)" = $'D D\nD P\nP D' ]
    [ "$(column pair peer-store | sort -u)" = $'D D\nD P\nP D' ]
    [ "$(column pair host | sort -u)" = $'H H\nH P\nP H\nP P' ]
}

@test "bandwidth is that of one direction, or the sum of both" {
    on "${once[@]}" --variants staged,pipelined-shared,limit --modes bandwidth,both --window 2 --sizes 64K
    all_right 6
    holds 'c["bandwidth_gbs"] * c["time_s"] * 1e9 / c["bytes"] / (c["mode"] == "both" ? 2 : 1) - 1 < 1e-6'
    holds 'c["bandwidth_gbs"] * c["time_s"] * 1e9 / c["bytes"] / (c["mode"] == "both" ? 2 : 1) - 1 > -1e-6'
}

@test "a window of large blocks has fewer of them" {
    on "${once[@]}" --variants staged --modes bandwidth --window 8 --window-bytes 256K --sizes 16K,64K,512K
    all_right 3
    [ "$(cells window)" = $'8\n4\n1' ]
}

@test "threads copy through host memory while paths are measured" {
    on "${once[@]}" -v --variants staged,limit --modes bandwidth --window 2 --sizes 64K --stress 0,1
    all_right 4
    [ "$(cells stress | sort | uniq -c | tr -s ' ')" = $' 2 0\n 2 1' ]
    [ "$(grep -o "rank [01]: 1 threads copied [0-9.]* GB/s meanwhile" <<<"$stderr" | wc -l)" -eq 2 ]
}

@test "one GPU serves both ranks" {
    SOFTGPU_DEVICES=1 on "${once[@]}" --variants staged,pipelined,limit --modes both --window 2 --sizes 4096
    all_right 3
}

@test "a path that cannot be taken is left out with one note, and alone waives the program" {
    [ "${GPU:-soft}" = soft ] || skip "a real GPU may have it"
    on "${once[@]}" --variants staged,nccl --modes latency --sizes 8,16
    all_right 2
    [ "$(values variant)" = staged ]
    [ "$(grep -c "nccl is waived: " <<<"$stderr")" -eq 1 ]
    on "${once[@]}" --variants nccl --modes latency --sizes 8,16
    [ "$status" -eq 2 ]
    [[ $stderr == *"RESULT: WAIVED "* ]]
}
