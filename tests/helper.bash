# helper.bash: what bats files share: `load helper` first.
# shellcheck shell=bash disable=SC2034,SC2154
# The variables are for the tests; bats sets status, output and stderr.
bats_require_minimum_version 1.5.0

# The folders that tests use; the working folder becomes the project's root. BIN and UNIT_TEST_FOLDER name others.
cd "$BATS_TEST_DIRNAME/.." || exit 1
bin=${BIN:-$PWD/build/${GPU:-soft}/bin}
tests=${UNIT_TEST_FOLDER:-$PWD/build/${GPU:-soft}/test}
scratch=${BATS_TEST_TMPDIR:-}

# Fewest repetitions, as CSV.
once=(-n 1 -w 0 --csv)

# run_apart COMMAND...: as run, with stdout in $output and stderr in $stderr; shown when the test fails.
run_apart() {
    run --separate-stderr timeout 300 "$@"
    echo "$* ended with $status"
    echo "$output"
    echo "$stderr"
}

# ranks N COMMAND...: the same with N ranks on this host.
ranks() {
    set_launch "$1"
    run_apart "${launch[@]}" "${@:2}"
}

# set_launch N: what starts N ranks on this host in $launch, for tests that start it by themselves.
set_launch() {
    launch=("${MPIRUN:-mpirun}" --oversubscribe --bind-to none -np "$1")
    [ "$(id -u)" -ne 0 ] || launch+=(--allow-run-as-root)
}

# ranks_on_hosts HOSTS N COMMAND...: the same on a virtual cluster; skips the test where there can be none.
ranks_on_hosts() {
    need_cluster
    run_apart run/cluster mpirun --name "test$$-$BATS_TEST_NUMBER" --hosts "$1" --oversubscribe --bind-to none -np "$2" "${@:3}"
}

need_cluster() {
    local reason
    # shellcheck source=run/needs.sh disable=SC1091
    reason=$(source run/needs.sh && unmet_cluster)
    [ -z "$reason" ] || skip "$reason"
}

# need_program NAME...: skips the test where a program was not built, for example without MPI.
need_program() {
    local name
    for name in "$@"; do
        [ -x "$bin/$name" ] || [ -x "$tests/$name" ] || skip "$name was not built here"
    done
}

# cells COLUMN [CONDITION]: a column of the CSV in $output, of the rows for which an awk condition on c["name"] holds.
cells() {
    awk -F, -v name="$1" 'NR == 1 { for (i = 1; i <= NF; i++) column[i] = $i; next }
        { for (i = 1; i <= NF; i++) c[column[i]] = $i } '"${2:-1}"' { print c[name] }' <<<"$output"
}

# column COLUMN [VARIANT [COLUMN VALUE]...]: the same of a variant's rows (of all, if it is empty) with these values.
column() {
    local condition=1
    [ -z "${2:-}" ] || condition="c[\"variant\"] == \"$2\""
    local name=$1
    shift $(($# < 2 ? $# : 2))
    while [ $# -gt 0 ]; do
        condition+=" && c[\"$1\"] == \"$2\""
        shift 2
    done
    cells "$name" "$condition"
}

# columns COLUMN...: these columns, one line per row.
columns() {
    awk -F, -v names="$*" '
        BEGIN { count = split(names, name, " ") }
        NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
        NR > 1 { for (i = 1; i <= count; i++) printf "%s%s", $at[name[i]], i < count ? " " : "\n" }' <<<"$output"
}

# values COLUMN [CONDITION]: its different values in one line, in the order in which they appear.
values() {
    cells "$@" | awk '!seen[$0]++' | paste -sd ' '
}

# holds CONDITION: there are rows, and it holds in each.
holds() {
    [ -n "$(cells status)" ]
    [ -z "$(cells status "!($1)")" ] || { cells variant "!($1)"; echo "not in all rows: $1"; false; }
}

# all_right [ROWS]: the program ended with 0, and its rows (so many) have right results and times.
all_right() {
    [ "$status" -eq 0 ]
    [ -z "${1:-}" ] || [ "$(cells status | wc -l)" -eq "$1" ]
    holds 'c["status"] == "pass" && c["errors"] == 0 && c["time_s"] > 0'
}

# all_checks COUNT: a C test passed so many checks, and all.
all_checks() {
    [ "$status" -eq 0 ]
    [ "$(grep -c '^ok ' <<<"$output")" -eq "$1" ]
    ! grep -q '^not ok' <<<"$output"
}

# build_with_mpich FILE: ranks_test of another MPI. What knows MPI is compiled again; the rest of the library has nothing of it.
build_with_mpich() {
    local headers=()
    mapfile -t headers < <(printf -- '-I%s\n' . common/soft/include */include)
    mpicc.mpich -std=c11 -D_GNU_SOURCE -DSOFTGPU -Wno-stringop-overflow -Wall -Wextra -Werror -O1 -pthread "${headers[@]}" -o "$1" \
        tests/unit/common/ranks_test.c common/harness/ranks_mpi.c common/error_mpi.c build/soft/obj/common/test/version.o \
        build/soft/lib/libcommon.a -lboost_context -lrt -lstdc++ -lm
}

# refuses EXPECTED COMMAND...: ends with exit code 1, prints nothing on stdout, and its last line says so.
refuses() {
    run_apart "${@:2}"
    [ "$status" -eq 1 ]
    [ -z "$output" ]
    [[ ${stderr##*$'\n'} == "RESULT: FAIL "*"$1"* ]]
}

# refuses_all: reads lines `PROGRAM|OPTIONS|EXPECTED`; each is refused with the words.
refuses_all() {
    local program options expected
    while IFS='|' read -r program options expected; do
        # shellcheck disable=SC2086 # options are words
        refuses "$expected" "$bin/$program" $options </dev/null
    done
}

# ranks_refuse_all: reads lines `RANKS|PROGRAM|OPTIONS|EXPECTED`: all ranks see what is wrong, one says so, and the job ends.
ranks_refuse_all() {
    local count program options expected
    while IFS='|' read -r count program options expected; do
        # shellcheck disable=SC2086 # options are words
        ranks "$count" "$bin/$program" $options </dev/null
        [ "$status" -eq 1 ]
        [ -z "$output" ]
        [ "$(grep -c "^RESULT: FAIL .*$expected" <<<"$stderr")" -eq 1 ]
    done
}

# set_waived_aside: rows of what cannot run here have no values: they go from $output to $waived.
set_waived_aside() {
    waived=$(grep ',waived$' <<<"$output") || true
    output=$(grep -v ',waived$' <<<"$output") || true
}
