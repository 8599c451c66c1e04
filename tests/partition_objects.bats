#!/usr/bin/env bats
# partition_objects: objects of launches and pairs, pointers, last writers; and the iteration spaces that the analysis counts.
# shellcheck disable=SC2154

bats_require_minimum_version 1.5.0

setup() {
    cd "$BATS_TEST_DIRNAME/.." || exit 1
    [ "${GPU:-soft}" = soft ] || skip "numbers of devices are those of the software GPU"
    bin=${BIN:-$PWD/build/soft/bin}
    program=$bin/partition_objects
    once=(-n 1 -w 0 --csv -q)
}

# The values of column $1 of the CSV in $output, of rows where column $2 is $3, $4 is $5, ...; a space in a value is written as _.
column() {
    awk -F, -v name="$1" -v where="${*:2}" '
        NR == 1 { for (i = 1; i <= NF; i++) place[$i] = i; n = split(where, w, " ") }
        NR > 1 { gsub(" ", "_"); for (i = 1; i < n; i += 2) if ($place[w[i]] != w[i + 1]) next; print $place[name] }' <<<"$output"
}

# All values of such a column in a line.
line() { column "$@" | paste -sd ' '; }

@test "a launch that differs in any field is a new object, and the same launch is none" {
    run -0 --separate-stderr "$program" --devices 1,2,5 --variants launch "${once[@]}"
    [ "$(line step variant launch devices 2)" = "nothing shared_bytes grid block kernel scalar buffers" ]
    for devices in 1 2 5; do
        [ "$(line created variant launch devices "$devices")" = "0 1 1 1 1 1 1" ]
    done
    [ "$(column repeated variant launch | sort -u)" = 0 ]
    [ "$(column one_device variant launch | sort -u)" = 0 ]
    [ "$(column variant | sort -u)" = launch ]
}

@test "two launches are another pair in the other order" {
    run -0 --separate-stderr "$program" --devices 1,3 --variants pair "${once[@]}"
    [ "$(line step devices 3)" = "AB BA AB_again BA_again" ]
    [ "$(line created devices 1)" = "1 1 0 0" ]
    [ "$(line created devices 3)" = "1 1 0 0" ]
}

@test "the program's pointer is that of the first device, and leads to one on each" {
    run -0 --separate-stderr "$program" --devices 1,4 --variants pointer -n 3 -w 1 --csv -q
    [ "$(column matching step allocation | sort -u)" = 8 ]
    [ "$(column matching step look-up devices 1 | sort -u)" = 8 ]
    [ "$(column matching step look-up devices 4 | sort -u)" = 32 ]
    [ "$(column rep devices 4 | wc -l)" -eq 6 ]
}

@test "chains without older equal launches have the last writers of the full history" {
    run -0 --separate-stderr "$program" --variants chain --chain-devices 1,2,7 --sequences 300 "${once[@]}"
    [ "$(line devices)" = "1 2 7" ]
    [ "$(column mismatches | sort -u)" = 0 ]
    [ "$(column sequences | sort -u)" = 300 ]
    for dropped in $(column dropped); do
        [ "$dropped" -gt 300 ]
        [ "$dropped" -lt 7200 ]
    done
    first=$output
    run -0 --separate-stderr "$program" --variants chain --chain-devices 7 --sequences 300 --seed 5 "${once[@]}"
    [ "$(column dropped)" != "$(output=$first column dropped devices 7)" ]
}

@test "where launches are not split, objects are waived with the reason and pointers counted" {
    cp "$bin/../partition/stencil.so" "$BATS_TEST_TMPDIR/"
    run -0 --separate-stderr "$program" --devices 2 --modules "$BATS_TEST_TMPDIR" "${once[@]}" -o "$BATS_TEST_TMPDIR/rows.csv"
    output=$(<"$BATS_TEST_TMPDIR/rows.csv")
    [ "$(line status variant launch)" = waived ]
    [ "$(line status variant pair)" = waived ]
    [ "$(line status variant pointer)" = "pass pass" ]
    grep -q 'stencil.db' "$BATS_TEST_TMPDIR/rows.json"
}

@test "devices that are not there are waived, and wrong options end with one sentence" {
    SOFTGPU_DEVICES=2 run -0 --separate-stderr "$program" --devices 2,3 --sequences 10 "${once[@]}"
    [ "$(line devices variant pair | tr ' ' '\n' | sort -u)" = 2 ]
    [ "$(column status variant launch | sort | uniq -c | tr -s ' ' | paste -sd,)" = " 7 pass, 1 waived" ]
    while IFS='|' read -r options expected; do
        # shellcheck disable=SC2086
        run -1 --separate-stderr "$program" $options -q
        echo "$options: $stderr"
        [[ $stderr == *"$expected"* ]]
        [ -z "$output" ]
    done <<'TABLE'
--devices 0|within 1..64
--devices two|not a list of whole numbers
--chain-devices 65|within 1..64
--chain-devices 1,|
--sequences 0|sequences
--variants launches|launches
--modules /nowhere|/nowhere
TABLE
}

@test "iteration spaces: of the worked example, of an array read in loops, of one that a data base does not name" {
    verdicts=("$bin/partition_verdicts" --dump -n 1 -w 0 --csv -q --databases)
    run -0 --separate-stderr "${verdicts[@]}" "$bin/../partition/example.db,$bin/../partition/matmul.db"
    grep -q 'stencil_ex,example,in,read domain dims,.*"3,2,2"' <<<"$output"
    grep -q 'stencil_ex,example,out,write domain dims,.*,2,' <<<"$output"
    grep -q 'mat_mul,matmul,A,read domain dims,.*,3,' <<<"$output"
    sed '/domain_dims/d' "$bin/../partition/example.db" >"$BATS_TEST_TMPDIR/older.db"
    run -0 --separate-stderr "${verdicts[@]}" "$BATS_TEST_TMPDIR/older.db"
    [ -z "$(column value key read_domain_dims | tr -d '\n')" ]
    grep -q 'stencil_ex,older,out,write map' <<<"$output"
}
