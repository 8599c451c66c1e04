# rdma/: the programs that get and put blocks: their rows, their checks, and what they refuse.

setup() {
    cd "$BATS_TEST_DIRNAME/.." || exit 1
    bin=${BIN:-$PWD/build/${GPU:-soft}/bin}
    [ -x "$bin/rdma_get" ] || skip "no MPI here: the programs were not built"
    scratch=$BATS_TEST_TMPDIR
    launch=(timeout 300 "${MPIRUN:-mpirun}" --oversubscribe --bind-to none)
    [ "$(id -u)" -ne 0 ] || launch+=(--allow-run-as-root)
}

# on RANKS PROGRAM OPTIONS...: runs it; stdout in $output, stderr in $stderr.
on() {
    status=0
    output=$("${launch[@]}" -np "$1" "$bin/$2" "${@:3}" 2>"$scratch/stderr") || status=$?
    stderr=$(cat "$scratch/stderr")
}

once=(-n 2 -w 1 --csv)

# cells COLUMN [CONDITION]: the column of the measured rows in $output for which an awk condition on c["name"] holds.
cells() {
    awk -F, -v name="$1" 'NR == 1 { for (i = 1; i <= NF; i++) column[i] = $i; next } /,waived$/ { next }
        { for (i = 1; i <= NF; i++) c[column[i]] = $i } '"${2:-1}"' { print c[name] }' <<<"$output"
}

# holds CONDITION: it does in every measured row of $output, and there are rows.
holds() {
    [ -n "$(cells status)" ]
    [ -z "$(cells status "!($1)")" ] || { cells status "!($1)" | head -n 3; echo "not in all rows: $1"; false; }
}

passed() {
    echo "$stderr"
    [ "$status" -eq 0 ]
    holds 'c["status"] == "pass" && c["errors"] == 0'
}

# measured_or_waived VARIANT...: each has rows, or else a note says why not; there are no others.
measured_or_waived() {
    local measured waived
    measured=$(cells variant | sort -u)
    waived=$(sed -n 's/^\([a-z-]*\) is waived: .*/\1/p' <<<"$stderr")
    echo "measured: $measured; waived: $waived"
    [ "$(sort <<<"$measured"$'\n'"$waived" | sed '/^$/d')" = "$(printf '%s\n' "$@" | sort)" ]
}

gpu_variants=(staged-pageable staged pipelined pipelined-shared cuda-aware peer-copy peer-store)

@test "bad options are one sentence, and the job ends" {
    while IFS='|' read -r ranks program options expected; do
        # shellcheck disable=SC2086
        on "$ranks" "$program" $options
        echo "$program $options: status $status, $stderr"
        [ "$status" -eq 1 ]
        [ -z "$output" ]
        [ "$(grep -c "^RESULT: FAIL .*$expected" <<<"$stderr")" -eq 1 ]
    done <<'TABLE'
1|rdma_get||mpirun -np 2
3|rdma_put||mpirun -np 2
2|rdma_get|--sizes 0|from 1 to 4G
2|rdma_get|--sizes 225,5G|from 1 to 4G
1|rdma_put|--wait-limit 0|wait-limit
1|rdma_total|--work -1|work
1|rdma_total|--work many|work
1|rdma_total|--variants host-pageable|host-pageable
TABLE
}

@test "get: into every kind of memory, any size" {
    on 2 rdma_get --sizes 1,13,3025 "${once[@]}"
    passed
    measured_or_waived host-pageable host-pinned "${gpu_variants[@]}"
    holds 'c["block_bytes"] == 8 * c["block_elements"] && c["time_s"] > 0'
    holds 'c["bandwidth_gbs"] * c["time_s"] > 0.9999e-9 * c["block_bytes"] && c["bandwidth_gbs"] * c["time_s"] < 1.0001e-9 * c["block_bytes"]'
    [ "$(cells block_elements 'c["variant"] == "staged" && c["rep"] == 0' | tr '\n' ' ')" = "1 13 3025 " ]
}

@test "put: from every kind of memory, any size" {
    on 2 rdma_put --sizes 1,13,3025 "${once[@]}"
    passed
    measured_or_waived host-pageable host-pinned "${gpu_variants[@]}"
    [ "$(cells block_elements 'c["variant"] == "host-pinned" && c["rep"] == 1' | tr '\n' ' ')" = "1 13 3025 " ]
}

@test "total: the parts make the whole, and only staged paths have copies that stand alone" {
    on 2 rdma_total --sizes 225,3025 "${once[@]}"
    passed
    measured_or_waived "${gpu_variants[@]}"
    holds 'c["work"] == 1 && c["get_s"] > 0 && c["compute_s"] > 0 && c["put_s"] > 0'
    holds 'c["get_s"] + c["compute_s"] + c["put_s"] > 0.9999 * c["time_s"] && c["get_s"] + c["compute_s"] + c["put_s"] < 1.0001 * c["time_s"]'
    holds '(c["copies_s"] > 0) == (c["variant"] ~ /^staged/)'
    holds 'c["messages_s"] > 0 && c["messages_s"] + c["copies_s"] < 1.0001 * (c["get_s"] + c["put_s"]) && c["messages_s"] + c["copies_s"] > 0.9999 * (c["get_s"] + c["put_s"])'
}

@test "total: any number of kernels, also none" {
    for work in 0 5; do
        on 2 rdma_total --sizes 1000 --work $work "${once[@]}"
        passed
        holds "c[\"work\"] == $work && (c[\"compute_s\"] > 0) == ($work > 0)"
    done
}

@test "a variant that cannot run is waived with one note, and alone it waives the program" {
    # No MPI takes the software GPU's memory for that of a GPU.
    [ "${GPU:-soft}" = soft ] || skip "cuda-aware may run here"
    on 2 rdma_get --variants staged,cuda-aware --sizes 100,200 "${once[@]}"
    passed
    [ "$(grep -c '^cuda-aware is waived: ' <<<"$stderr")" -eq 1 ]
    [ "$(cells variant | sort -u)" = staged ]
    on 2 rdma_get --variants cuda-aware --sizes 100 "${once[@]}"
    echo "$stderr"
    [ "$status" -eq 2 ]
    [ "$(grep -c '^RESULT: WAIVED ' <<<"$stderr")" -eq 1 ]
    [[ $output == *,cuda-aware,*,waived ]]
    [ -z "$(cells status)" ]
}

@test "the checks see what is wrong" {
    run "${launch[@]}" -np 2 "build/${GPU:-soft}/test/rdma_block_ranks_test"
    echo "$output"
    [ "$status" -eq 0 ]
    [ "$(grep -c '^ok ' <<<"$output")" -eq 12 ]
}
