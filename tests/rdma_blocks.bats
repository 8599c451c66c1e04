# rdma/: the programs that get and put blocks: their rows, their checks, and what they refuse.

load helper

setup() {
    need_program rdma_get
}

# on RANKS PROGRAM OPTIONS...: as ranks, without the rows of variants that cannot run here.
on() {
    ranks "$1" "$bin/$2" "${@:3}"
    output=$(grep -v ',waived$' <<<"$output" || true)
}

once=(-n 2 -w 1 --csv)
gpu_variants=(staged-pageable staged pipelined pipelined-shared cuda-aware peer-copy peer-store)

# measured_or_waived VARIANT...: each has rows, or else a note says why not; there are no others.
measured_or_waived() {
    local measured waived
    measured=$(cells variant | sort -u)
    waived=$(sed -n 's/^\([a-z-]*\) is waived: .*/\1/p' <<<"$stderr")
    echo "measured: $measured; waived: $waived"
    [ "$(sort <<<"$measured"$'\n'"$waived" | sed '/^$/d')" = "$(printf '%s\n' "$@" | sort)" ]
}

@test "bad options end with exit 1 and one sentence" {
    refuses_all <<'TABLE'
rdma_get||there is 1: start it with mpirun -np 2
rdma_get|--sizes 0|a size must be at least 1
rdma_put|--wait-limit 0|wait-limit
rdma_total|--work -1|work
rdma_total|--work many|work
rdma_total|--variants host-pageable|host-pageable
TABLE
}

@test "what all ranks see is one sentence, and the job ends" {
    while IFS='|' read -r ranks program options expected; do
        # shellcheck disable=SC2086
        on "$ranks" "$program" $options </dev/null
        [ "$status" -eq 1 ]
        [ -z "$output" ]
        [ "$(grep -c "^RESULT: FAIL .*$expected" <<<"$stderr")" -eq 1 ]
    done <<'TABLE'
3|rdma_put||there are 3: start it with mpirun -np 2
2|rdma_get|--sizes 225,5G|up to 4G elements
TABLE
}

@test "get: into every kind of memory, any size" {
    on 2 rdma_get --sizes 1,13,3025 "${once[@]}"
    all_right
    measured_or_waived host-pageable host-pinned "${gpu_variants[@]}"
    holds 'c["block_bytes"] == 8 * c["block_elements"]'
    holds 'c["bandwidth_gbs"] * c["time_s"] > 0.9999e-9 * c["block_bytes"] && c["bandwidth_gbs"] * c["time_s"] < 1.0001e-9 * c["block_bytes"]'
    [ "$(column block_elements staged rep 0)" = $'1\n13\n3025' ]
}

@test "put: from every kind of memory, any size" {
    on 2 rdma_put --sizes 1,13,3025 "${once[@]}"
    all_right
    measured_or_waived host-pageable host-pinned "${gpu_variants[@]}"
    [ "$(column block_elements host-pinned rep 1)" = $'1\n13\n3025' ]
}

@test "total: the parts make the whole, and only staged paths have copies that stand alone" {
    on 2 rdma_total --sizes 225,3025 "${once[@]}"
    all_right
    measured_or_waived "${gpu_variants[@]}"
    holds 'c["work"] == 1 && c["get_s"] > 0 && c["compute_s"] > 0 && c["put_s"] > 0'
    holds 'c["get_s"] + c["compute_s"] + c["put_s"] > 0.9999 * c["time_s"] && c["get_s"] + c["compute_s"] + c["put_s"] < 1.0001 * c["time_s"]'
    holds '(c["copies_s"] > 0) == (c["variant"] ~ /^staged/)'
    holds 'c["messages_s"] > 0 && c["messages_s"] + c["copies_s"] < 1.0001 * (c["get_s"] + c["put_s"]) && c["messages_s"] + c["copies_s"] > 0.9999 * (c["get_s"] + c["put_s"])'
}

@test "total: any number of kernels, also none" {
    for work in 0 5; do
        on 2 rdma_total --sizes 1000 --work $work "${once[@]}"
        all_right
        holds "c[\"work\"] == $work && (c[\"compute_s\"] > 0) == ($work > 0)"
    done
}

@test "a variant that cannot run is waived with one note, and alone it waives the program" {
    # No MPI takes the software GPU's memory for that of a GPU.
    [ "${GPU:-soft}" = soft ] || skip "cuda-aware may run here"
    on 2 rdma_get --variants staged,cuda-aware --sizes 100,200 "${once[@]}"
    all_right 4
    [ "$(grep -c '^cuda-aware is waived: ' <<<"$stderr")" -eq 1 ]
    [ "$(values variant)" = staged ]
    ranks 2 "$bin/rdma_get" --variants cuda-aware --sizes 100 "${once[@]}"
    [ "$status" -eq 2 ]
    [ "$(grep -c '^RESULT: WAIVED ' <<<"$stderr")" -eq 1 ]
    [ "$(columns variant status)" = "cuda-aware waived" ]
}

@test "the checks see what is wrong" {
    ranks 2 "$tests/rdma_block_ranks_test"
    all_checks 12
}
