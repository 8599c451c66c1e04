#!/usr/bin/env bats
# The ledger is clean, lint finds every kind of defect, and the claims that need nothing but
# transcribed tables agree with them, and would not with others.

setup() {
    root=${BATS_TEST_DIRNAME%/tests}
    reference=$root/claims
    copy=$BATS_TEST_TMPDIR/claims
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

# shown: id and remark of each claim that only the copy's tables decide.
shown() {
    ln -sfn "$root/run" "$BATS_TEST_TMPDIR/run"
    mkdir -p "$BATS_TEST_TMPDIR/results/local"
    (cd "$root" && cp --parents */experiments.tsv "$BATS_TEST_TMPDIR")
    TOOLS=$root/build/tools "$BATS_TEST_TMPDIR/run/check" -q "$BATS_TEST_TMPDIR/results/local"
    "$root/run/sql" -separator ' ' "$BATS_TEST_TMPDIR/results/local/results.db" \
        "SELECT id, reason FROM verdicts WHERE verdict = 'shown' ORDER BY id"
}

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

@test "mended: each verdict that an audit found wanting is a claim, and was changed or is defended" {
    local faults
    faults=$(cd "$reference" && awk -F'\t' '
        FILENAME != "mended.tsv" { known[$1] = 1; next }
        FNR == 1 { next }
        NF != 5 || $4 == "" { print $1 ": what was seen is missing" }
        !($1 in known) { print $1 ": the ledger has no such claim" }
        $1 in listed { print $1 ": is there twice" }
        $5 !~ /^(changed|defended): ./ { print $1 ": neither changed nor defended" }
        { listed[$1] = 1 }' */claims.tsv mended.tsv)
    [ -z "$faults" ] || { echo "$faults"; false; }
    [ "$(wc -l <"$reference/mended.tsv")" -eq 87 ]
}

@test "falsify: what never falls is at most 15 claims, each with its reason" {
    local faults
    faults=$(cd "$reference" && awk -F'\t' '
        FILENAME != "unfalsified.tsv" { known[$1] = 1; next }
        FNR > 1 && (NF != 2 || $2 == "" || !($1 in known)) { print $1 ": no claim, or no reason" }' */claims.tsv unfalsified.tsv)
    [ -z "$faults" ] || { echo "$faults"; false; }
    [ "$(wc -l <"$reference/unfalsified.tsv")" -le 16 ]
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
    set_cell klein/claims.tsv 4 13 "4 "
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
        "klein/claims.tsv:4: 14 columns instead of 13"
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
    set_cell peshne/claims.tsv 20 11 fuzzy
    set_cell peshne/claims.tsv 21 12 elsewhere
    expect_defects "peshne/claims.tsv:18: figure peshne-fig-9-9 is not in figures.tsv" \
        'peshne/claims.tsv:19: unknown relation "about"' \
        'peshne/claims.tsv:20: unknown kind "fuzzy"' \
        'peshne/claims.tsv:21: unknown dir "elsewhere"'
}

@test "lint: claim in another directory than its figure" {
    set_cell peshne/claims.tsv 18 12 rdma
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

@test "lint: bounds that are none, a machine without a strict bound, a claim without a bound" {
    set_cell peshne/claims.tsv 18 7 'about 2'
    set_cell peshne/claims.tsv 19 7 'a: > 1 | < 2'
    set_cell peshne/claims.tsv 20 7 '>= 1.2'
    set_cell peshne/claims.tsv 20 8 -
    set_cell peshne/claims.tsv 20 9 V100
    set_cell peshne/claims.tsv 21 7 -
    set_cell peshne/claims.tsv 21 8 -
    set_cell peshne/claims.tsv 21 9 -
    expect_defects 'peshne/claims.tsv:18: bound "about 2" is no range such as >= 1.2 or 0.85 .. 1.15' \
        'peshne/claims.tsv:19: bound "< 2" is one of several and has no name' \
        'peshne/claims.tsv:20: a strict bound and its machine stand together' \
        'peshne/claims.tsv:21: no bound; where nothing can be judged write waived: and the reason'
}

@test "lint: a query that holds a bound, names the thesis, has long lines" {
    set_cell peshne/claims.tsv 18 7 '>= 1.23'
    id=$(sed -n 18p "$copy/peshne/claims.tsv" | cut -f 1)
    printf '%s\n' "-- >= 1.23 may stand in a comment" "SELECT '$id', 1.23, NULL, NULL, 'the thesis';" \
        "SELECT '$id', 1$(printf '%120s' '')" >"$copy/peshne/peshne-odd.sql"
    expect_defects 'peshne/peshne-odd.sql:2: 1.23 is in a bound, which claims.tsv alone holds' \
        'peshne/peshne-odd.sql:2: a query says nothing about the thesis; claims.tsv does' \
        'peshne/peshne-odd.sql:3: the line has more than 120 characters'
}

@test "lint: a figure that holds a published number or has long lines" {
    mkdir "$BATS_TEST_TMPDIR/plots"
    set_cell peshne/claims.tsv 18 5 'about 1.23'
    id=$(sed -n 18p "$copy/peshne/claims.tsv" | cut -f 1)
    printf '%s\n' "# 1.23 may stand in a comment" "plot thesis('$id', 1) title 'thesis: 1.23'" \
        "plot 1$(printf '%120s' '')" >"$BATS_TEST_TMPDIR/plots/peshne-odd.gp"
    expect_defects '../plots/peshne-odd.gp:2: 1.23 is in a bound or a published number, which claims.tsv alone holds' \
        '../plots/peshne-odd.gp:3: the line has more than 120 characters'
}

@test "claims: what is arithmetic or quoted agrees with the tables as transcribed" {
    run shown
    echo "$output"
    [ "$status" -eq 0 ]
    [ "$(grep -vc 'the numbers agree$' <<<"$output")" -eq 0 ]
    [ "$(wc -l <<<"$output")" -ge 7 ]
}

@test "claims: each claim on peak rates and PCIe can differ" {
    cd "$copy/cui/tables"
    sed -i -e 's/^Tesla S1070,2008,311/Tesla S1070,2008,312/' -e 's/,7450/,350/' cui-fig-1-1.csv
    sed -i 's/^4.0,2017/4.0,2018/' cui-fig-1-2.csv
    sed -i '/^3.0/s/,15.754,/,17,/' cui-fig-1-3.csv
    run shown
    echo "$output"
    for id in 002 003 004 006 007 008 009; do
        grep -x "cui-c-$id the numbers differ" <<<"$output"
    done
}
