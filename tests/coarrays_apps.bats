# coarrays/: the applications: what they refuse, and right results of all variants on one node and on two.

setup() {
    cd "$BATS_TEST_DIRNAME/.." || exit 1
    bin=${BIN:-$PWD/build/${GPU:-soft}/bin}
    [ -x "$bin/coarrays_burgers" ] || skip "no MPI here: the programs were not built"
    scratch=$BATS_TEST_TMPDIR
}

# on IMAGES PROGRAM OPTIONS...: runs it; stdout in $output, stderr in $stderr.
on() {
    local launch=(timeout 300 "${MPIRUN:-mpirun}" --oversubscribe --bind-to none -np "$1")
    [ "$(id -u)" -ne 0 ] || launch+=(--allow-run-as-root)
    status=0
    output=$("${launch[@]}" "$bin/$2" "${@:3}" 2>"$scratch/stderr") || status=$?
    stderr=$(cat "$scratch/stderr")
}

once=(-n 1 -w 0 --csv -q)
variants="datamotion datamotion-c opencoarrays libcaf-mpi element mpi mpi-c"

# cells COLUMN [CONDITION]: the column of the rows in $output for which an awk condition on c["name"] holds.
cells() {
    awk -F, -v name="$1" 'NR == 1 { for (i = 1; i <= NF; i++) column[i] = $i; next }
        { for (i = 1; i <= NF; i++) c[column[i]] = $i } '"${2:-1}"' { print c[name] }' <<<"$output"
}

# holds CONDITION: it does in every row of $output, and there are rows.
holds() {
    [ -n "$(cells status)" ]
    [ -z "$(cells status "!($1)")" ] || { cells status "!($1)" | head -n 3; echo "not in all rows: $1"; false; }
}

# Every variant has a row; those without Fortran, or without OpenCoarrays, are waived.
passed() {
    echo "$output"
    echo "$stderr"
    [ "$status" -eq 0 ]
    holds 'c["status"] == "pass" && c["errors"] == 0 || c["status"] == "waived"'
    for variant in ${1:-$variants}; do
        [ -n "$(cells status "c[\"variant\"] == \"$variant\"")" ]
    done
    [ -z "$(cells variant 'c["status"] == "waived" && c["variant"] ~ /-c$/')" ]
}

@test "bad options are one sentence, and the job ends" {
    while IFS='|' read -r images program options expected; do
        # shellcheck disable=SC2086
        on "$images" $program $options
        echo "$program $options: status $status, $stderr"
        [ "$status" -eq 1 ]
        [ -z "$output" ]
        [ "$(grep -c "^RESULT: FAIL .*$expected" <<<"$stderr")" -eq 1 ]
    done <<'TABLE'
2|coarrays_burgers|--cells 1001|multiple of 2 cells
2|coarrays_burgers|--cells 4|at least 3 each
2|coarrays_burgers|--cells 100,,200|not a list
2|coarrays_burgers|--scaling strong,none|'none' is none of strong, weak
2|coarrays_burgers|--optimization O2|'O2' is none of O3, O0
1|coarrays_burgers|--steps 0|out of range
1|coarrays_burgers|--slow-limit 0|out of range
2|coarrays_himeno|--grid 64x64|not a list of grids
2|coarrays_himeno|--grid 64x-3x64|not a list of grids
2|coarrays_himeno|--grid 64x64x64x64|not a list of grids
2|coarrays_himeno|--grid 64x0x64|not a list of grids
2|coarrays_himeno|--grid 64x64x64,|not a list of grids
2|coarrays_himeno|--decomposition 1x2x1,1x1x2|is not of 2 images
2|coarrays_himeno|--grid 64x3x64|2 images along a dimension need at least 4 points
2|coarrays_himeno|--decomposition 2x2x1|is not of 2 images
2|coarrays_transpose|--grid 4x5x6|multiple of 2 along Y and Z
2|coarrays_transpose|--grid 4x6x5|multiple of 2 along Y and Z
2|coarrays_transpose|--grid 99999x99998x99998|at most 2^31 - 1 elements
2|coarrays_transpose|--grid 90000x4000x4000 --variants mpi-c|choose smaller sizes
TABLE
}

@test "the help names units, defaults and own options" {
    for program in burgers himeno transpose; do
        run "$bin/coarrays_$program" -h
        [ "$status" -eq 0 ]
        [[ $output == *--scaling*--slow-limit* && $output == *time_s* ]]
    done
}

@test "burgers: one image" {
    on 1 coarrays_burgers --cells 60,300 --steps 50 --optimization O3,O0 "${once[@]}"
    passed
    holds 'c["status"] == "waived" || (c["nodes"] == 1 && c["error"] > 0 && c["error"] < 0.02 && c["time_s"] > 0)'
    [ "$(cells cells 'c["variant"] == "mpi-c"' | paste -sd ' ')" = "60 300" ]
}

@test "burgers: two images, strong and weak, with and without optimization" {
    on 2 coarrays_burgers --cells 120 --steps 50 --scaling strong,weak --optimization O3,O0 "${once[@]}"
    passed
    [ "$(cells cells 'c["variant"] == "mpi-c"' | paste -sd ' ')" = "120 240" ]
    # Of the variants that are there, those with coarrays in Fortran are also compiled without optimization.
    holds 'c["optimization"] != "O0" || c["variant"] ~ /^(datamotion|opencoarrays|libcaf-mpi|element)$/'
    for variant in datamotion opencoarrays libcaf-mpi element; do
        [ "$(cells status "c[\"variant\"] == \"$variant\"" | head -n 1)" = waived ] ||
            [ "$(cells optimization "c[\"variant\"] == \"$variant\"" | paste -sd ' ')" = "O3 O0 O3 O0" ]
    done
}

@test "burgers: four images, and the error falls with the square of the cells" {
    on 4 coarrays_burgers --cells 120 --steps 50 "${once[@]}"
    passed
    coarse=$(cells error 'c["variant"] == "datamotion-c"')
    on 4 coarrays_burgers --cells 240 --steps 200 --variants datamotion-c "${once[@]}"
    passed datamotion-c
    awk -v coarse="$coarse" -v fine="$(cells error)" 'BEGIN { exit !(coarse / fine > 3.5 && coarse / fine < 4.5) }'
}

@test "himeno: one, two and four images" {
    for images in 1 2 4; do
        on $images coarrays_himeno --grid 12x13x14 --iterations 4 "${once[@]}"
        passed
        holds 'c["status"] == "waived" || (c["grid"] == "12x13x14" && c["mflops"] > 0)'
    done
}

@test "himeno: blocks of unequal size, cut along each dimension" {
    for decomposition in 3x1x1 1x3x1 1x1x3; do
        on 3 coarrays_himeno --grid 13x14x12 --iterations 4 --decomposition $decomposition "${once[@]}"
        passed
    done
    on 4 coarrays_himeno --grid 13x13x9 --iterations 4 --decomposition 2x2x1 "${once[@]}"
    passed
}

@test "himeno: weak scaling gives each image the grid" {
    on 2 coarrays_himeno --grid 8x8x8,12x12x12 --iterations 3 --scaling weak --variants datamotion-c,mpi-c "${once[@]}"
    passed "datamotion-c mpi-c"
    holds 'c["grid"] == (FNR <= 3 ? "8x14x8" : "12x22x12") && c["scaling"] == "weak"'
    output=$(grep -v 8x14x8 <<<"$output")
    holds 'c["mflops"] * c["time_s"] * 1e6 / (34 * 10 * 20 * 10 * 3) > 0.999'
    holds 'c["mflops"] * c["time_s"] * 1e6 / (34 * 10 * 20 * 10 * 3) < 1.001'
}

@test "transpose: one, two and four images" {
    for images in 1 2 4; do
        on $images coarrays_transpose --grid 7x8x12 "${once[@]}"
        passed
        holds 'c["status"] == "waived" || (c["bandwidth_gbs"] * c["time_s"] * 1e9 / (8 * 7 * 8 * 12) > 0.999)'
    done
}

@test "transpose: weak scaling grows along Z; three images" {
    on 3 coarrays_transpose --grid 5x6x4 --scaling weak,strong --variants mpi-c "${once[@]}"
    [ "$status" -eq 1 ]
    [[ $stderr == *"multiple of 3 along Y and Z"* ]]
    on 3 coarrays_transpose --grid 5x6x4 --scaling weak "${once[@]}"
    passed
    holds 'c["status"] == "waived" || c["grid"] == "5x6x12"'
}

@test "a slow variant is recorded from its first warm-up run alone" {
    on 2 coarrays_burgers --cells 6000 --steps 3000 --variants datamotion-c,mpi-c --slow-limit 0.001 -n 3 -w 1 --csv
    passed "datamotion-c mpi-c"
    [ "$(cells variant | sort | paste -sd ' ')" = "datamotion-c mpi-c" ]
    [ "$(grep -c 'longer than --slow-limit' <<<"$stderr")" -eq 2 ]
    on 2 coarrays_burgers --cells 60 --steps 1 --variants mpi-c -n 3 -w 1 --csv -q
    [ "$(cells variant | wc -l)" -eq 3 ]
}

@test "without verification there is no error to tell" {
    on 2 coarrays_burgers --cells 60 --steps 5 --variants datamotion-c -c 0 "${once[@]}"
    [ "$status" -eq 0 ]
    holds 'c["error"] == "" && c["status"] == "pass"'
}

@test "on two hosts every variant is right" {
    reason=$(run/cluster up --hosts 2 --name "apps$$" 2>&1) || skip "no virtual cluster here: $reason"
    run/cluster down --name "apps$$"
    for call in "burgers --cells 60 --steps 10" "himeno --grid 10x10x10 --iterations 2" "transpose --grid 4x4x8"; do
        # shellcheck disable=SC2086
        output=$(timeout 300 run/cluster mpirun --name "apps$$" --hosts 2 -np 4 "$bin"/coarrays_$call "${once[@]}" \
            2>"$scratch/stderr") && status=0 || status=$?
        stderr=$(cat "$scratch/stderr")
        passed
        holds 'c["status"] == "waived" || c["nodes"] == 2'
    done
}
