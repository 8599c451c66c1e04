# manifest.awk: reads experiments.tsv files and prints one checked row per experiment:
# id dir program smoke small full ranks gpus needs minutes(3) figures lower upper file line
# Files named figures.tsv, read first, name the known figures; -v tables= adds table names.
# An error is one line `file:line: what`; then nothing is printed on stdout and the exit code is 1.

function complain(what) {
    printf "%s:%d: %s\n", FILENAME, FNR, what > "/dev/stderr"
    failed = 1
}

function is_number(text) {
    return text ~ /^[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)$/
}

# Each element of the comma list must be in the set; '-' alone is the empty list.
function check_list(text, set, name,    parts, n, i) {
    if (text == "-")
        return
    n = split(text, parts, ",")
    for (i = 1; i <= n; i++)
        if (!(parts[i] in set) && !(name == "need" && parts[i] ~ /^cluster=[1-9][0-9]?$/))
            complain("unknown " name " '" parts[i] "'")
}

function check_names() {
    if ($1 !~ /^[a-z][a-z0-9_]*$/ || $1 ~ /_median$/)
        complain("id '" $1 "' must be snake_case and not end in _median")
    else if ($1 in reserved)
        complain("id '" $1 "' is the name of a make target or of a table of the data base")
    else if ($1 in seen)
        complain("id '" $1 "' is already at " seen[$1])
    seen[$1] = FILENAME ":" FNR
    if ($2 !~ /^[a-z][a-z0-9_]*$/)
        complain("program '" $2 "' must be snake_case")
}

function check_numbers(    i) {
    if ($6 !~ /^[0-9]+$/ || $6 < 1)
        complain("ranks '" $6 "' must be a whole number of at least 1")
    if ($7 !~ /^[0-9]+$/)
        complain("gpus '" $7 "' must be a whole number")
    if (split($9, minutes, "/") != 3)
        complain("minutes '" $9 "' must be smoke/small/full, as in 0.1/1/5")
    else
        for (i = 1; i <= 3; i++)
            if (!is_number(minutes[i]) || minutes[i] <= 0)
                complain("minutes '" minutes[i] "' must be a number above 0")
    if (split($11, bound, "/") != 2 || !is_number(bound[1]) || !is_number(bound[2]) ||
        bound[1] > 0 || bound[1] <= -1 || bound[2] < 0)
        complain("tolerance '" $11 "' must be lower/upper with -1 < lower <= 0 <= upper, as in -0.2/0.1")
}

BEGIN {
    FS = OFS = "\t"
    columns = "id\tprogram\tsmoke\tsmall\tfull\tranks\tgpus\tneeds\tminutes\tfigures\ttolerance"
    split("cuda cuda-aware cluster network p2p mpi", list, " ")
    for (i in list)
        need_set[list[i]] = 1
    split("all list figures tables check regress report reproduce test fuzz sanitize profile install clean " \
          "distclean help configurations experiments claims machine verdicts waived inputs", list, " ")
    for (i in list)
        reserved[list[i]] = 1
    n = split(tables, list, " ")
    for (i = 1; i <= n; i++)
        figure_set[list[i]] = 1
}

FILENAME ~ /figures\.tsv$/ {
    if (FNR > 1) {
        figure_set[$1] = 1
        figures_known = 1
    }
    next
}

FNR == 1 {
    header_seen = 0
    dir = FILENAME
    sub(/\/[^\/]*$/, "", dir)
    sub(/.*\//, "", dir)
    reserved[dir] = 1
}

/\r$/ { complain("line ends with a carriage return; use plain newlines"); next }

/^#/ { next }

!header_seen {
    if ($0 != columns)
        complain("the header must be, with tabs: " columns)
    header_seen = 1
    next
}

NF != 11 {
    complain("a row has 11 columns between tabs, this one has " NF)
    next
}

{
    empty = 0
    for (i = 1; i <= NF; i++)
        if ($i ~ /^[ ]*$/)
            empty = i
    if (empty) {
        split(columns, names, "\t")
        complain("column " names[empty] " is empty; write - for none")
        next
    }
    check_names()
    check_numbers()
    check_list($8, need_set, "need")
    if (figures_known)
        check_list($10, figure_set, "figure")
    rows[++count] = $1 OFS dir OFS $2 OFS $3 OFS $4 OFS $5 OFS $6 OFS $7 OFS $8 OFS \
        minutes[1] OFS minutes[2] OFS minutes[3] OFS $10 OFS bound[1] OFS bound[2] OFS FILENAME OFS FNR
}

# A word @ID of the arguments stands for the results of experiment ID.
function check_results_read(    i, j, n, cells, parts) {
    for (i = 1; i <= count; i++) {
        split(rows[i], cells, OFS)
        n = split(cells[4] " " cells[5] " " cells[6], parts, " ")
        for (j = 1; j <= n; j++)
            if (parts[j] ~ /^@/ && (!(substr(parts[j], 2) in seen) || substr(parts[j], 2) == cells[1])) {
                printf "%s:%d: %s reads the results of '%s', which is not another experiment\n", cells[16], cells[17], cells[1], \
                    substr(parts[j], 2) > "/dev/stderr"
                failed = 1
            }
    }
}

END {
    check_results_read()
    if (failed)
        exit 1
    for (i = 1; i <= count; i++)
        print rows[i]
}
