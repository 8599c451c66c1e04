#!/usr/bin/env bats
# partition_applications: its rows, what it waives, what it refuses.
# shellcheck disable=SC2154

bats_require_minimum_version 1.5.0

setup() {
    cd "$BATS_TEST_DIRNAME/.." || exit 1
    [ "${GPU:-soft}" = soft ] || skip "numbers of devices are those of the software GPU"
    program=${BIN:-$PWD/build/soft/bin}/partition_applications
    once=(-n 1 -w 0 --csv -q)
}

# The values of column $1 of the CSV in $output, of rows where column $2 is $3, $4 is $5, ...
column() {
    awk -F, -v name="$1" -v where="${*:2}" '
        NR == 1 { for (i = 1; i <= NF; i++) place[$i] = i; n = split(where, w, " ") }
        NR > 1 { for (i = 1; i < n; i += 2) if ($place[w[i]] != w[i + 1]) next; print $place[name] }' <<<"$output"
}

# Whether the number $1 is more than $2.
more() { awk -v a="$1" -v b="$2" 'BEGIN { exit !(a != "" && a + 0 > b) }'; }

@test "words that mean nothing end with one sentence and nothing is measured" {
    while IFS='|' read -r options expected; do
        # shellcheck disable=SC2086
        run -1 --separate-stderr "$program" $options
        echo "$options: $stderr"
        [ -z "$output" ]
        [[ $stderr == "RESULT: FAIL "*"$expected"* ]]
        [ "$(wc -l <<<"$stderr")" -eq 1 ]
    done <<'TABLE'
--apps nothing|there is no such application
--apps stencil:0|whole numbers from 1 on
--apps stencil:8x|whole numbers from 1 on
--apps stencil:8:2:1|is not name[:n[:iterations]]
--apps stencil,|
--devices 0|within 1..64
--devices two|not a list of whole numbers
--splits w|dimensions are x, y, z
--splits xyxy|dimensions are x, y, z
--htod gather|there is scatter, broadcast and lazy
--resolutions most|there is exact, last-writer and none
--resolutions none --htod scatter|broadcast
--access lines|there is boxes, rows and points
--options half|joined by +
--options spans+|joined by +
--blocks 32x|threads such as 32x8
--blocks 0|threads such as 32x8
--blocks 4x4x4x4|threads such as 32x8
TABLE
}

@test "a directory without modules is an error that names the module" {
    run -1 --separate-stderr "$program" --apps stencil:64:1 --modules "$BATS_TEST_TMPDIR" "${once[@]}"
    echo "$stderr"
    [[ $stderr == *"$BATS_TEST_TMPDIR"* ]]
}

@test "the original, the partitioned and the hand-written stencil agree bit by bit" {
    run -0 --separate-stderr "$program" --apps stencil:100:4 --devices 1,2,3 --htod scatter,broadcast,lazy "${once[@]}"
    [ "$(column devices variant original)" = 1 ]
    [ "$(column devices variant by-hand | tr '\n' ' ')" = "1 2 3 " ]
    [ "$(column devices variant partitioned | wc -l)" -eq 9 ]
    [ "$(column max_difference | sort -u)" = 0 ]
    [ "$(column one_device variant partitioned | sort -u)" = 0 ]
    more "$(column d2d_bytes variant partitioned devices 3 htod scatter)" 0
    [ "$(column htod_bytes devices 3 htod broadcast)" -eq $((3 * $(column htod_bytes devices 1 htod broadcast))) ]
}

@test "launches and accesses are found once, whatever the number of iterations" {
    run -0 --separate-stderr "$program" --apps stencil:64:3,stencil:64:20 --devices 2 "${once[@]}"
    [ "$(column kl_created variant partitioned | tr '\n' ' ')" = "2 2 " ]
    [ "$(column aa_created variant partitioned | sort -u | wc -l)" -eq 1 ]
}

@test "without copies between launches elements are stale, and that is no error" {
    run -0 --separate-stderr "$program" --apps stencil:64:3,refine:4096:9 --devices 2 --htod broadcast --resolutions exact,last-writer,none "${once[@]}"
    [ "$(column stale_elements resolution exact | sort -u)" = 0 ]
    [ "$(column stale_elements app stencil resolution last-writer)" -eq 0 ]
    more "$(column stale_elements app refine resolution last-writer)" 0
    more "$(column stale_elements app stencil resolution none)" 0
    [ "$(column d2d_bytes resolution none | sort -u)" = 0 ]
}

@test "spans and whole reads: more bytes, the same result, times of the spans" {
    run -0 --separate-stderr "$program" --apps stencil:64:3 --devices 3 --options -,spans,spans+whole "${once[@]}"
    [ -z "$(column kernel_s variant partitioned options -)" ]
    more "$(column kernel_s options spans)" 0
    more "$(column d2d_bytes options spans+whole)" "$(column d2d_bytes options spans)"
    [ "$(column stale_elements options spans+whole)" -eq 0 ]
}

@test "what cannot be split says so and is counted" {
    run -0 --separate-stderr "$program" --apps histogram:1000 --devices 2 -n 1 -w 0 --csv
    more "$(column one_device variant partitioned)" 0
    [[ $stderr == *"histogram on 2 devices: "*"ran on one device: "* ]]
}

@test "devices that are not there are waived, the others measured" {
    SOFTGPU_DEVICES=2 run -0 --separate-stderr "$program" --apps matmul:16 --devices 2,3 "${once[@]}"
    [ "$(column status variant partitioned | tr '\n' ' ')" = "waived pass " ]
    SOFTGPU_DEVICES=0 run -2 --separate-stderr "$program" --apps matmul:16 "${once[@]}"
}
