# coarrays/: the programs that measure transfers, synchronisation and halos: their rows, their checks, and what they refuse.
# shellcheck disable=SC2164 # bats stops at a failed command

setup() {
    cd "$BATS_TEST_DIRNAME/.."
    bin=${BIN:-$PWD/build/${GPU:-soft}/bin}
    [ -x "$bin/coarrays_transfer" ] || skip "no MPI here: the programs were not built"
    kernels=$bin/../lib/coarrays
    scratch=$BATS_TEST_TMPDIR
}

# on RANKS PROGRAM OPTIONS...: runs it; stdout in $output, stderr in $stderr.
on() {
    local launch=(timeout 300 "${MPIRUN:-mpirun}" --oversubscribe --bind-to none -np "$1")
    [ "$(id -u)" -ne 0 ] || launch+=(--allow-run-as-root)
    started "${launch[@]}" "$bin/$2" "${@:3}"
}

# on_hosts HOSTS RANKS PROGRAM OPTIONS...: the same on the virtual cluster.
on_hosts() {
    local launch=(timeout 300 run/cluster mpirun --name benchtest --hosts "$1" -np "$2" --bind-to none)
    [ "$(id -u)" -eq 0 ] || skip "the virtual cluster needs root"
    [ "$2" -le "$(nproc)" ] || launch+=(--oversubscribe)
    started "${launch[@]}" "$bin/$3" "${@:4}"
    [ "$status" -ne 2 ] || skip "no virtual cluster here: $stderr"
}

# Rows of what is waived have no values: they go to $waived.
started() {
    status=0
    output=$("$@" 2>"$scratch/stderr") || status=$?
    stderr=$(cat "$scratch/stderr")
    waived=$(grep ',waived$' <<<"$output") || true
    output=$(grep -v ',waived$' <<<"$output") || true
}

once=(-n 1 -w 0 --csv -q)

# cells COLUMN [CONDITION]: the column of the rows in $output for which an awk condition on c["name"] holds.
cells() {
    awk -F, -v name="$1" 'NR == 1 { for (i = 1; i <= NF; i++) column[i] = $i; next }
        { for (i = 1; i <= NF; i++) c[column[i]] = $i } '"${2:-1}"' { print c[name] }' <<<"$output"
}

# values COLUMN [CONDITION]: its different values in one line, in the order in which they appear.
values() {
    cells "$@" | awk '!seen[$0]++' | tr '\n' ' '
}

# holds CONDITION: it does in every row of $output, and there are rows.
holds() {
    [ -n "$(cells status)" ]
    [ -z "$(cells status "!($1)")" ] || { cells status "!($1)" | head -n 3; echo "not in all rows: $1"; false; }
}

passed() {
    echo "$stderr"
    [ "$status" -eq 0 ]
    holds 'c["status"] == "pass" && c["errors"] == 0 && c["time_s"] > 0'
}

# has_all NAMES: the variants measured are those, as far as gfortran and OpenCoarrays were there when building.
has_all() {
    local name expected=''
    for name in $1; do
        case $name in
        datamotion-c | memcpy | mpi-c) ;;
        *) [ -e "$kernels/kernels_$name.so" ] || continue ;;
        esac
        expected+="$name "
    done
    [ "$(values variant)" = "$expected" ]
}

transfer_variants='datamotion datamotion-c opencoarrays libcaf-mpi element mpi memcpy'
halo_variants='datamotion datamotion-c opencoarrays libcaf-mpi element mpi mpi-c'
sync_variants='datamotion datamotion-c opencoarrays mpi'

@test "bad options are one sentence, and the job ends" {
    while IFS='|' read -r ranks program options expected; do
        # shellcheck disable=SC2086
        on "$ranks" $program $options
        echo "$program $options: status $status, $stderr"
        [ "$status" -eq 1 ]
        [ -z "$output" ]
        [ "$(grep -c "^RESULT: FAIL .*$expected" <<<"$stderr")" -eq 1 ]
    done <<'TABLE'
2|coarrays_transfer|--strides 0|must be from 1 to
2|coarrays_transfer|--strides 2,-1|must be from 1 to
2|coarrays_transfer|--strides 2;3|not a list of whole numbers
2|coarrays_transfer|--strides=|not a list of whole numbers
2|coarrays_transfer|--strides 1,,2|not a list of whole numbers
2|coarrays_transfer|--strides 99999999999999999999|not a list of whole numbers
2|coarrays_transfer|--operations put,push|'push' is none of put, get
2|coarrays_transfer|--operations=|'' is none of put, get
2|coarrays_transfer|--partners both|'both' is none of single, multi
2|coarrays_transfer|--sizes 0|0 elements
2|coarrays_transfer|--sizes 1G|too large
2|coarrays_transfer|--sizes 128M --strides 1M|choose smaller sizes
3|coarrays_transfer|--partners multi|an even number
1|coarrays_transfer||mpirun -np 2
1|coarrays_sync||mpirun -np 2
1|coarrays_halo||mpirun -np 2
2|coarrays_sync|--operations sync-all,sync-some|'sync-some' is none of sync-all
2|coarrays_halo|--layouts row|'row' is none of rows, grid
2|coarrays_halo|--sizes 0|the edge must be from 1
2|coarrays_halo|--sizes 64K|the edge must be from 1
2|coarrays_halo|--sizes 32K|choose smaller sizes
TABLE
}

@test "each program explains itself" {
    for program in transfer sync halo; do
        "$bin/coarrays_$program" -h | grep -q 'mpirun -np IMAGES'
        "$bin/coarrays_$program" -l | grep -q 'OpenCoarrays'
    done
    "$bin/coarrays_transfer" -l | grep 'element' | grep -q 'emulates'
}

@test "transfers: every variant, operation and stride comes right" {
    on 2 coarrays_transfer --sizes 1,7,1000 --strides 1,3 "${once[@]}"
    passed
    has_all "$transfer_variants"
    [ "$(values operation)" = "put get " ]
    [ "$(values elements)" = "1 7 1000 " ]
    [ "$(values stride)" = "1 3 " ]
    holds 'c["partners"] == "single" && c["nodes"] == 1'
    holds 'c["bandwidth_gbs"] * c["time_s"] > 7.99e-9 * c["elements"] && c["bandwidth_gbs"] * c["time_s"] < 8.01e-9 * c["elements"]'
    [ "$(cells variant | wc -l)" -eq $((12 * $(values variant | wc -w))) ]
}

@test "transfers: with four images, one pair and two pairs" {
    on 4 coarrays_transfer --sizes 3,500 --strides 1,2 --partners single,multi "${once[@]}"
    passed
    has_all "$transfer_variants"
    [ "$(values partners)" = "single multi " ]
}

@test "transfers: an odd number of images works with one pair" {
    on 3 coarrays_transfer --sizes 100 --strides 1,2 "${once[@]}"
    passed
    has_all "$transfer_variants"
}

@test "transfers: a variant that takes too long is left out from there on, and says so" {
    on 2 coarrays_transfer --variants datamotion-c --operations put --sizes 1,4,2 --longest 0 -n 1 -w 0 --csv
    passed
    [ "$(values elements)" = "1 " ]
    [ "$(wc -l <<<"$waived")" -eq 1 ]
    [[ $stderr == *"more than 1 elements are left out"*"--longest"* ]]
}

@test "synchronisation: every operation of every variant works" {
    for ranks in 2 3; do
        on "$ranks" coarrays_sync "${once[@]}"
        passed
        has_all "$sync_variants"
        [ "$(values operation 'c["variant"] == "datamotion-c"')" = "sync-all sync-images-pair sync-images-ring event lock critical atomic-add fetch-add co-sum co-broadcast allocate " ]
        # Only OpenCoarrays may lack something.
        [ ! -e "$kernels/kernels_datamotion.so" ] || ! grep -v ',opencoarrays,' <<<"$waived" | grep -q .
    done
}

@test "synchronisation: with four images" {
    on 4 coarrays_sync "${once[@]}"
    passed
    has_all "$sync_variants"
    holds 'c["nodes"] == 1'
}

@test "synchronisation: a one-sided component is chosen, and said, only where none is set" {
    "${MPIRUN:-mpirun}" --version | grep -q 'Open MPI) 4' || skip "only Open MPI 4 needs it"
    on 2 coarrays_sync --operations sync-all --variants datamotion-c -n 1 -w 0 --csv
    passed
    [[ $stderr == *"OMPI_MCA_osc=sm,ucx"* ]]
    OMPI_MCA_osc=sm on 2 coarrays_sync --operations sync-all --variants datamotion-c -n 1 -w 0 --csv
    passed
    [[ $stderr != *"OMPI_MCA_osc"* ]]
}

@test "halos: every variant and layout comes right, also of the smallest squares" {
    for ranks in 2 3 4; do
        on "$ranks" coarrays_halo --sizes 1,2,33 "${once[@]}"
        passed
        has_all "$halo_variants"
        [ "$(values grid)" = "1 2 33 " ]
        [ "$(values layout)" = "rows grid " ]
        holds 'c["nodes"] == 1'
    done
    # With four images in a grid each sends four halos.
    holds 'c["layout"] != "grid" || c["grid"] != 33 || (c["bandwidth_gbs"] * c["time_s"] > 0.99e-9 * 4 * 33 * 8 && c["bandwidth_gbs"] * c["time_s"] < 1.01e-9 * 4 * 33 * 8)'
}

@test "two nodes: transfers, synchronisation and halos come right" {
    on_hosts 2 2 coarrays_transfer --sizes 1,50 --strides 1,3 "${once[@]}"
    passed
    has_all "$transfer_variants"
    holds 'c["nodes"] == 2'
    on_hosts 2 2 coarrays_sync "${once[@]}"
    passed
    has_all "$sync_variants"
    on_hosts 2 4 coarrays_halo --sizes 20 "${once[@]}"
    passed
    has_all "$halo_variants"
    holds 'c["nodes"] == 2'
}

@test "onesided: late targets and broadcasts, and what is refused" {
    on 3 coarrays_onesided --sizes 1,1K "${once[@]}"
    passed
    [ "$(values variant)" = "passive active collective puts " ]
    [ "$(values operation)" = "late broadcast " ]
    # The target of a fence comes when it has computed; nobody waits for that of a put. The machine may stop an image,
    # too, but not in each of five repetitions.
    on 2 coarrays_onesided --sizes 8 --late 0.2 -n 5 -w 0 --csv
    awk '$1 < 0.1 { exit 1 }' <(cells time_s 'c["variant"] == "active"' | sort -g | tail -n 1)
    awk '$1 >= 0.1 { exit 1 }' <(cells time_s 'c["variant"] == "passive"' | sort -g | head -n 1)
    [ "$(cells variant | grep -cxE '(pass|act)ive')" -eq 10 ]
    on 2 coarrays_onesided --sizes 0 "${once[@]}"
    [ "$status" -ne 0 ]
    [[ $stderr == *"a size of 0 bytes"* ]]
    on 1 coarrays_onesided "${once[@]}"
    [ "$status" -ne 0 ]
    [[ $stderr == *"needs 2 or more images"* ]]
}

@test "polling: with and without a thread, and with one core" {
    on 1 coarrays_polling --sizes 1K "${once[@]}"
    passed
    [[ $(values variant) == "none "*"shared " ]]
    started taskset -c "$(taskset -cp $$ | sed 's/.*: //; s/[-,].*//')" "$bin/coarrays_polling" --sizes 1K "${once[@]}"
    passed
    [ "$(values variant)" = "none shared " ]
    [[ $waived == *,spare,* ]]
    on 1 coarrays_polling --sizes 0 "${once[@]}"
    [ "$status" -ne 0 ]
    [[ $stderr == *"0 elements"* ]]
}
