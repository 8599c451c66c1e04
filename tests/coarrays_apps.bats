# coarrays/: the applications: what they refuse, and right results of all variants on one node and on two.

load helper

setup() {
    need_program coarrays_burgers
}

once=(-n 1 -w 0 --csv -q)
variants="datamotion datamotion-c opencoarrays libcaf-mpi element mpi mpi-c"

# on IMAGES PROGRAM OPTIONS...: as ranks.
on() {
    ranks "$1" "$bin/$2" "${@:3}"
}

# Every variant has a row; those without Fortran, or without OpenCoarrays, are waived.
passed() {
    [ "$status" -eq 0 ]
    holds 'c["status"] == "pass" && c["errors"] == 0 || c["status"] == "waived"'
    for variant in ${1:-$variants}; do
        [ -n "$(column status "$variant")" ]
    done
    [ -z "$(cells variant 'c["status"] == "waived" && c["variant"] ~ /-c$/')" ]
}

@test "bad options end with exit 1 and one sentence" {
    refuses_all <<'TABLE'
coarrays_burgers|--cells 100,,200|has an empty entry
coarrays_burgers|--cells 2|the numbers must be within 3..
coarrays_burgers|--scaling strong,none|unknown scaling 'none'; choose from strong, weak
coarrays_burgers|--optimization O2|unknown optimization 'O2'; choose from O3, O0
coarrays_burgers|--steps 0|out of range
coarrays_burgers|--slow-limit 0|out of range
coarrays_himeno|--grid 64x64x64,|has an empty entry
TABLE
}

@test "what all images see is one sentence, and the job ends" {
    ranks_refuse_all <<'TABLE'
2|coarrays_burgers|--cells 1001|multiple of 2 cells
2|coarrays_burgers|--cells 4|at least 3 each
2|coarrays_himeno|--grid 64x64|not a list of grids
2|coarrays_himeno|--grid 64x-3x64|not a list of grids
2|coarrays_himeno|--grid 64x64x64x64|not a list of grids
2|coarrays_himeno|--grid 64x0x64|not a list of grids
2|coarrays_himeno|--decomposition 1x2x1,1x1x2|does not multiply to 2 images
2|coarrays_himeno|--grid 64x3x64|2 images along a dimension need at least 4 points
2|coarrays_himeno|--decomposition 2x2x1|does not multiply to 2 images
2|coarrays_transpose|--grid 4x5x6|multiple of 2 along Y and Z
2|coarrays_transpose|--grid 4x6x5|multiple of 2 along Y and Z
3|coarrays_transpose|--grid 5x6x4 --scaling weak,strong|multiple of 3 along Y and Z
2|coarrays_transpose|--grid 99999x99998x99998|at most 2^31 - 1 elements
4|coarrays_transpose|--grid 80000x640x640 --variants mpi-c|choose smaller sizes
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
    [ "$(column cells mpi-c)" = $'60\n300' ]
}

@test "burgers: two images, strong and weak, with and without optimization" {
    on 2 coarrays_burgers --cells 120 --steps 50 --scaling strong,weak --optimization O3,O0 "${once[@]}"
    passed
    [ "$(column cells mpi-c)" = $'120\n240' ]
    # Of the variants that are there, those with coarrays in Fortran are also compiled without optimization.
    holds 'c["optimization"] != "O0" || c["variant"] ~ /^(datamotion|opencoarrays|libcaf-mpi|element)$/'
    for variant in datamotion opencoarrays libcaf-mpi element; do
        [ "$(column status "$variant" | head -n 1)" = waived ] ||
            [ "$(column optimization "$variant")" = $'O3\nO0\nO3\nO0' ]
    done
}

@test "burgers: four images, and the error falls with the square of the cells" {
    on 4 coarrays_burgers --cells 120 --steps 50 "${once[@]}"
    passed
    coarse=$(column error datamotion-c)
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
    on 3 coarrays_transpose --grid 5x6x4 --scaling weak "${once[@]}"
    passed
    holds 'c["status"] == "waived" || c["grid"] == "5x6x12"'
}

@test "a slow variant is recorded from its first warm-up run alone" {
    on 2 coarrays_burgers --cells 6000 --steps 3000 --variants datamotion-c,mpi-c --slow-limit 0.001 -n 3 -w 1 --csv
    passed "datamotion-c mpi-c"
    [ "$(cells variant | sort)" = $'datamotion-c\nmpi-c' ]
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
    for call in "burgers --cells 60 --steps 10" "himeno --grid 10x10x10 --iterations 2" "transpose --grid 4x4x8"; do
        # shellcheck disable=SC2086
        ranks_on_hosts 2 4 "$bin"/coarrays_$call "${once[@]}"
        passed
        holds 'c["status"] == "waived" || c["nodes"] == 2'
    done
}
