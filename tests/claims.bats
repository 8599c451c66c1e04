#!/usr/bin/env bats
# The reference data are clean, lint finds every kind of defect, and the claims that need nothing
# but transcribed tables are judged correctly.

setup() {
    reference=$BATS_TEST_DIRNAME/reference
    claims=$BATS_TEST_DIRNAME/claims
    copy=$BATS_TEST_TMPDIR/reference
    mkdir "$copy"
    cp -r "$reference"/*/ "$copy"
}

# set_cell FILE LINE COLUMN TEXT: replaces one cell of a .tsv file in the copy.
set_cell() {
    awk -v line="$2" -v column="$3" -v text="$4" 'BEGIN { FS = OFS = "\t" }
        NR == line { $column = text } { print }' "$copy/$1" >"$copy/edited"
    mv "$copy/edited" "$copy/$1"
}

# set_line FILE LINE TEXT: replaces one line of a file in the copy; TEXT may hold printf escapes.
set_line() {
    { head -n $(($2 - 1)) "$copy/$1"; printf '%b\n' "$3"; tail -n +$(($2 + 1)) "$copy/$1"; } >"$copy/edited"
    mv "$copy/edited" "$copy/$1"
}

# The copy has exactly the defects given as arguments, `file:line: text` relative to the copy.
expect_defects() {
    local expected
    expected=$(printf "$copy/%s\n" "$@")
    run "$reference/lint" "$copy"
    echo "$output"
    [ "$status" -eq 1 ]
    [ "$output" = "$expected" ]
}

# load_tables: a database of the copy, one table per .csv, all columns NUMERIC, empty cells NULL.
load_tables() {
    local csv table
    for csv in "$copy"/*/tables/*.csv; do
        table=$(basename "$csv" .csv)
        table=${table//-/_}
        head -n 1 "$csv" | sed "s/[^,]*/\"&\" NUMERIC/g; s/.*/CREATE TABLE $table(&);/"
        printf '.import --csv --skip 1 "%s" %s\n' "$csv" "$table"
        head -n 1 "$csv" | tr ',' '\n' | sed "s/.*/UPDATE $table SET \"&\" = NULL WHERE \"&\" = '';/"
    done | sqlite3 -bail "$BATS_TEST_TMPDIR/db"
}

# judge SQL: prints id|measured|bound|ok|reason for the loaded tables.
judge() {
    sqlite3 -bail "$BATS_TEST_TMPDIR/db" <"$claims/$1.sql"
}

# not_ok SQL ID: the loaded tables do not agree with claim ID.
not_ok() {
    echo "$2 must not agree"
    judge "$1" | grep "^$2|.*|waived|.* does not agree with the claim$"
}

transcribed="cui-fig-1-1 cui-fig-1-2 cui-fig-1-3 cui-constants fanfarillo-tab-1-1 fanfarillo-constants"

@test "reference: the tree is clean" {
    run "$reference/lint"
    echo "$output"
    [ "$status" -eq 0 ]
    [ -z "$output" ]
}

@test "reference: all four theses are there" {
    for author in cui fanfarillo klein peshne; do
        [ "$(wc -l <"$reference/$author/claims.tsv")" -gt 100 ]
        [ "$(wc -l <"$reference/$author/figures.tsv")" -gt 30 ]
    done
}

@test "reference: the counts in the README are those of the files" {
    for author in cui fanfarillo klein peshne; do
        counts="| $(($(wc -l <"$reference/$author/claims.tsv") - 1)) | $(($(wc -l <"$reference/$author/figures.tsv") - 1)) |"
        grep -qF "| \`$author/\` $counts" "$reference/README.md"
    done
}

@test "lint: --help explains, wrong usage ends with 2" {
    run "$reference/lint" --help
    [ "$status" -eq 0 ]
    [[ $output == usage:* ]]
    run "$reference/lint" --nonsense
    [ "$status" -eq 2 ]
    run "$reference/lint" "$copy" "$copy"
    [ "$status" -eq 2 ]
    run "$reference/lint" "$copy/nowhere"
    [ "$status" -eq 2 ]
}

@test "lint: a directory without authors is a defect" {
    rm -r "$copy"
    mkdir "$copy"
    run "$reference/lint" "$copy"
    [ "$status" -eq 1 ]
    [ "$output" = "$copy:1: no author directory" ]
}

@test "lint: missing file" {
    rm "$copy/klein/figures.tsv"
    expect_defects "klein/figures.tsv:1: missing"
}

@test "lint: empty file" {
    : >"$copy/klein/tables/klein-tab-2.csv"
    expect_defects "klein/tables/klein-tab-2.csv:1: empty file"
}

@test "lint: not UTF-8" {
    set_line cui/tables/cui-tab-4-3.csv 3 'UM\xff,0.41,1.47,266.00,8.10'
    expect_defects "cui/tables/cui-tab-4-3.csv:3: not UTF-8"
}

@test "lint: carriage return" {
    set_line cui/tables/cui-tab-4-3.csv 3 'UM,0.41,1.47,266.00,8.10\r'
    expect_defects "cui/tables/cui-tab-4-3.csv:3: carriage return"
}

@test "lint: trailing blank" {
    set_cell klein/claims.tsv 4 10 "4 "
    expect_defects "klein/claims.tsv:4: trailing blank" \
        "klein/claims.tsv:4: section begins or ends with a blank"
}

@test "lint: no newline at the end" {
    printf x >>"$copy/cui/tables/cui-tab-4-3.csv"
    expect_defects "cui/tables/cui-tab-4-3.csv:4: no newline at the end" \
        "cui/tables/cui-tab-4-3.csv:4: 1 columns instead of 5"
}

@test "lint: wrong column name" {
    set_cell klein/claims.tsv 1 3 claim
    expect_defects 'klein/claims.tsv:1: column 3 must be named statement, is "claim"'
}

@test "lint: a tab too many, a column too few" {
    set_cell klein/claims.tsv 4 5 "$(printf 'a\tb')"
    set_line klein/figures.tsv 3 'klein-fig-2\tdiagram'
    expect_defects "klein/figures.tsv:3: 2 columns instead of 12" \
        "klein/claims.tsv:4: 11 columns instead of 10"
}

@test "lint: empty cell, blank at the edge of a cell, quotation mark at its start" {
    set_cell klein/claims.tsv 4 4 ""
    set_cell klein/claims.tsv 5 4 " ratio"
    set_cell klein/claims.tsv 6 4 '"ratio"'
    expect_defects "klein/claims.tsv:4: empty metric, write - where there is nothing" \
        "klein/claims.tsv:5: metric begins or ends with a blank" \
        "klein/claims.tsv:6: metric begins with a quotation mark, which sqlite3 .import misreads"
}

@test "lint: claim id malformed, twice, out of order" {
    set_cell klein/claims.tsv 4 1 klein-c-3
    set_cell klein/claims.tsv 8 1 klein-c-006
    set_cell klein/claims.tsv 10 1 klein-c-900
    expect_defects 'klein/claims.tsv:4: id "klein-c-3" is not klein-c-NNN' \
        "klein/claims.tsv:5: id klein-c-004 is out of order" \
        "klein/claims.tsv:8: id klein-c-006 is already in line 7" \
        "klein/claims.tsv:11: id klein-c-010 is out of order"
}

@test "lint: claim with unknown figure, relation, kind, dir" {
    set_cell peshne/claims.tsv 18 2 peshne-fig-9-9
    set_cell peshne/claims.tsv 19 6 about
    set_cell peshne/claims.tsv 20 8 fuzzy
    set_cell peshne/claims.tsv 21 9 elsewhere
    expect_defects "peshne/claims.tsv:18: figure peshne-fig-9-9 is not in figures.tsv" \
        'peshne/claims.tsv:19: unknown relation "about"' \
        'peshne/claims.tsv:20: unknown kind "fuzzy"' \
        'peshne/claims.tsv:21: unknown dir "elsewhere"'
}

@test "lint: claim in another directory than its figure" {
    set_cell peshne/claims.tsv 18 9 rdma
    expect_defects "peshne/claims.tsv:18: dir rdma, but peshne-fig-4-2 belongs to prefetch"
}

@test "lint: figure id malformed, twice, out of order" {
    set_cell klein/figures.tsv 4 1 klein-picture-3
    expect_defects 'klein/figures.tsv:4: id "klein-picture-3" is not klein-fig-N-M or klein-tab-N-M' \
        "klein/figures.tsv:5: id klein-fig-4 is out of order"
    cp "$reference/klein/figures.tsv" "$copy/klein/figures.tsv"
    set_cell klein/figures.tsv 4 1 klein-fig-2
    expect_defects "klein/figures.tsv:4: id klein-fig-2 is already in line 3"
}

@test "lint: figure with unknown kind and dir" {
    set_cell klein/figures.tsv 2 2 photo
    set_cell klein/figures.tsv 2 4 nowhere
    expect_defects 'klein/figures.tsv:2: unknown kind "photo"' 'klein/figures.tsv:2: unknown dir "nowhere"'
}

@test "lint: table that belongs to no figure, file that is no table" {
    mv "$copy/klein/tables/klein-tab-2.csv" "$copy/klein/tables/klein-tab-7.csv"
    touch "$copy/klein/tables/notes.txt"
    expect_defects "klein/tables/klein-tab-7.csv:1: klein-tab-7 is neither a figure in figures.tsv nor klein-inline-..." \
        "klein/tables/notes.txt:1: not a .csv file"
}

@test "lint: inline tables need no figure" {
    cp "$copy/klein/tables/klein-tab-2.csv" "$copy/klein/tables/klein-inline-4.csv"
    run "$reference/lint" "$copy"
    [ "$status" -eq 0 ]
}

@test "lint: table header with a bad name and a name twice" {
    set_line cui/tables/cui-tab-4-2.csv 1 'Data set,Data set'
    expect_defects 'cui/tables/cui-tab-4-2.csv:1: column 1: "Data set" is no name of [a-z0-9_]' \
        'cui/tables/cui-tab-4-2.csv:1: column 2: "Data set" is no name of [a-z0-9_]' \
        'cui/tables/cui-tab-4-2.csv:1: column 2: name "Data set" is there twice'
}

@test "lint: table row with too many columns, tab, blank, bad quoting" {
    set_line cui/tables/cui-tab-4-2.csv 2 '2DCONV_default,0.60,1'
    set_line cui/tables/cui-tab-4-2.csv 3 '3DCONV\tdefault,0.56'
    set_line cui/tables/cui-tab-4-2.csv 4 'GEMM_default, 0.30'
    set_line cui/tables/cui-tab-4-2.csv 5 'FD2D"default,0.51'
    set_line cui/tables/cui-tab-4-2.csv 6 '"ATAX_default,1.30'
    set_line cui/tables/cui-tab-4-2.csv 7 '"2DCONV ""medium"", large",4.50'
    expect_defects "cui/tables/cui-tab-4-2.csv:2: 3 columns instead of 2" \
        "cui/tables/cui-tab-4-2.csv:3: tab" \
        "cui/tables/cui-tab-4-2.csv:4: column 2: begins or ends with a blank" \
        "cui/tables/cui-tab-4-2.csv:5: column 1: quotation mark out of place or never closed" \
        "cui/tables/cui-tab-4-2.csv:6: column 1: quotation mark out of place or never closed"
}

@test "lint: table without rows" {
    printf 'dataset,gpu_memory_gb\n' >"$copy/cui/tables/cui-tab-4-2.csv"
    expect_defects "cui/tables/cui-tab-4-2.csv:1: no rows"
}

@test "tables: load into sqlite with all their rows" {
    load_tables
    for csv in "$copy"/*/tables/*.csv; do
        table=$(basename "$csv" .csv)
        rows=$(sqlite3 "$BATS_TEST_TMPDIR/db" "SELECT count(*) FROM ${table//-/_}")
        [ "$rows" -eq $(($(wc -l <"$csv") - 1)) ]
    done
}

@test "claims: every row on transcribed tables is well formed and names a known claim once" {
    load_tables
    for name in $transcribed; do
        judge "$name"
    done >"$BATS_TEST_TMPDIR/rows"
    [ "$(wc -l <"$BATS_TEST_TMPDIR/rows")" -eq 22 ]
    [ -z "$(cut -d '|' -f 1 "$BATS_TEST_TMPDIR/rows" | sort | uniq -d)" ]
    while IFS='|' read -r id measured bound ok reason extra; do
        echo "$id"
        grep -q "^$id	" "$reference/${id%%-*}/claims.tsv"
        [[ $measured == *[0-9]* ]]
        [ -n "$bound" ]
        # Nothing is measured, so nothing is reproduced.
        [ "$ok" = waived ]
        [[ $reason == "quoted data, nothing is measured here; it "* ]]
        [ -z "$extra" ]
    done <"$BATS_TEST_TMPDIR/rows"
}

@test "claims: a claim with a figure is judged in that figure's file" {
    load_tables
    for name in $transcribed; do
        for id in $(judge "$name" | cut -d '|' -f 1); do
            figure=$(awk -F '\t' -v id="$id" '$1 == id { print $2 }' "$reference/${id%%-*}/claims.tsv")
            [ "$figure" = "$name" ] || [ "$figure" = - ]
        done
    done
}

@test "claims: verdicts on the tables as transcribed" {
    load_tables
    for name in $transcribed; do
        judge "$name"
    done >"$BATS_TEST_TMPDIR/rows"
    [ "$(awk -F '|' '/does not agree/ { print $1 }' "$BATS_TEST_TMPDIR/rows")" = cui-c-012 ]
    [ "$(awk -F '|' '/too little to tell/ { print $1 }' "$BATS_TEST_TMPDIR/rows" | xargs)" = "cui-c-001 cui-c-005" ]
}

@test "claims: each claim on peak rates and PCIe can fail" {
    cd "$copy/cui/tables"
    sed -i -e 's/^Tesla S1070,2008,311/Tesla S1070,2008,312/' -e 's/,7450/,350/' cui-fig-1-1.csv
    sed -i 's/^4.0,2017/4.0,2018/' cui-fig-1-2.csv
    sed -i '/^3.0/s/,15.754,/,17,/' cui-fig-1-3.csv
    load_tables
    not_ok cui-fig-1-1 cui-c-002
    not_ok cui-fig-1-1 cui-c-003
    not_ok cui-fig-1-1 cui-c-004
    not_ok cui-constants cui-c-009
    not_ok cui-fig-1-2 cui-c-006
    not_ok cui-fig-1-3 cui-c-007
    not_ok cui-fig-1-3 cui-c-008
}

@test "claims: each claim on Ivy-Bridge and Knights-Landing can fail" {
    sed -i -e '/^num_physical_cores/s/,72$/,12/' -e '/^num_virtual_cores/s/,288$/,24/' \
        -e '/^processor_frequency/s/<1$/<3/' -e '/^num_ops/s/,8$/,9/' -e '/_slow/s/<2$/<3/' \
        "$copy/fanfarillo/tables/fanfarillo-tab-1-1.csv"
    load_tables
    for id in 1 2 3 4 5; do
        not_ok fanfarillo-tab-1-1 "fanfarillo-c-00$id"
    done
}
