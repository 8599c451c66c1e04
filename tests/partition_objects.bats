# partition_objects: objects of launches and pairs, pointers, last writers; and the iteration spaces that the analysis counts.
load helper

setup() {
    [ "${GPU:-soft}" = soft ] || skip "numbers of devices are those of the software GPU"
}

# Runs the program for one repetition, or what the options say.
objects() {
    run_apart "$bin/partition_objects" "${once[@]}" -q "$@"
    [ "$status" -eq 0 ]
}

# All values of such a column in "" a line; a space in a value is written as _.
line() { column "$@" | tr ' ' _ | paste -sd ' '; }

@test "a launch that differs in any field is a new object, and the same launch is none" {
    objects --devices 1,2,5 --variants launch
    [ "$(line step launch devices 2)" = "nothing shared_bytes grid block kernel scalar buffers" ]
    for devices in 1 2 5; do
        [ "$(line created launch devices "$devices")" = "0 1 1 1 1 1 1" ]
    done
    [ "$(column repeated launch | sort -u)" = 0 ]
    [ "$(column one_device launch | sort -u)" = 0 ]
    [ "$(column variant | sort -u)" = launch ]
}

@test "two launches are another pair in the other order" {
    objects --devices 1,3 --variants pair
    [ "$(line step "" devices 3)" = "AB BA AB_again BA_again" ]
    [ "$(line created "" devices 1)" = "1 1 0 0" ]
    [ "$(line created "" devices 3)" = "1 1 0 0" ]
}

@test "the program's pointer is that of the first device, and leads to one on each" {
    objects --devices 1,4 --variants pointer -n 3 -w 1
    [ "$(column matching "" step allocation | sort -u)" = 8 ]
    [ "$(column matching "" step look-up devices 1 | sort -u)" = 8 ]
    [ "$(column matching "" step look-up devices 4 | sort -u)" = 32 ]
    [ "$(column rep "" devices 4 | wc -l)" -eq 6 ]
}

@test "chains without older equal launches have the last writers of the full history" {
    objects --variants chain --chain-devices 1,2,7 --sequences 300
    [ "$(line devices)" = "1 2 7" ]
    [ "$(column mismatches | sort -u)" = 0 ]
    [ "$(column sequences | sort -u)" = 300 ]
    for dropped in $(column dropped); do
        [ "$dropped" -gt 300 ]
        [ "$dropped" -lt 7200 ]
    done
    first=$output
    objects --variants chain --chain-devices 7 --sequences 300 --seed 5
    [ "$(column dropped)" != "$(output=$first column dropped "" devices 7)" ]
}

@test "where launches are not split, objects are waived with the reason and pointers counted" {
    cp "$bin/../partition/stencil.so" "$scratch/"
    objects --devices 2 --modules "$scratch" -o "$scratch/rows.csv"
    output=$(<"$scratch/rows.csv")
    [ "$(line status launch)" = waived ]
    [ "$(line status pair)" = waived ]
    [ "$(line status pointer)" = "pass pass" ]
    grep -q 'stencil.db' "$scratch/rows.json"
}

@test "devices that are not there are waived, and wrong options end with one sentence" {
    SOFTGPU_DEVICES=2 objects --devices 2,3 --sequences 10
    [ "$(line devices pair | tr ' ' '\n' | sort -u)" = 2 ]
    [ "$(column status launch | sort | uniq -c | tr -s ' ' | paste -sd,)" = " 7 pass, 1 waived" ]
    refuses_all <<'TABLE'
partition_objects|--devices 0|within 1..64
partition_objects|--devices two|not a list of whole numbers
partition_objects|--chain-devices 65|within 1..64
partition_objects|--chain-devices 1,|
partition_objects|--sequences 0|sequences
partition_objects|--variants launches|launches
TABLE
    run_apart "$bin/partition_objects" --csv -q -n 1 -w 0 --devices two
    [ "$status" -eq 1 ]
    [[ $output != *$'\n'* ]] # the head of the CSV: nothing was measured before
    run_apart "$bin/partition_objects" --modules /nowhere -q
    [ "$status" -eq 1 ]
    [ -z "$output" ]
    [[ $stderr == *"/nowhere"* ]]
}

@test "iteration spaces: of the worked example, of an array read in loops, of one that a data base does not name" {
    verdicts=(run_apart "$bin/partition_verdicts" --dump "${once[@]}" -q --databases)
    "${verdicts[@]}" "$bin/../partition/example.db,$bin/../partition/matmul.db"
    grep -q 'stencil_ex,example,in,read domain dims,.*"3,2,2"' <<<"$output"
    grep -q 'stencil_ex,example,out,write domain dims,.*,2,' <<<"$output"
    grep -q 'mat_mul,matmul,A,read domain dims,.*,3,' <<<"$output"
    sed '/domain_dims/d' "$bin/../partition/example.db" >"$scratch/older.db"
    "${verdicts[@]}" "$scratch/older.db"
    [ -z "$(column value "" key "read domain dims" | tr -d '\n')" ]
    grep -q 'stencil_ex,older,out,write map' <<<"$output"
}
