# starts.sh: one result of several starts of a program; sourced by run/experiment, which sets id and work.
#
# A program that is started again finds its memory elsewhere, and its times differ by more than its repetitions show. The
# rows of all starts stand in one CSV, with the column `start` behind `rep`; the JSON document is that of the last start
# from the beginning of the first, with an entry of `starts` for each.
# shellcheck shell=bash
# shellcheck disable=SC2154

need_starts() {
    [[ $1 == [1-9] || $1 == [1-9][0-9] ]] || die "--starts takes a number from 1 to 99, not '$1'"
    [ "$1" -eq 1 ] || command -v sqlite3 >/dev/null || die "--starts $1 needs sqlite3, which is not installed; ./setup installs it"
}

# keep_start START: sets its two files aside.
keep_start() {
    if ! { mv "$work/$id.csv" "$work/start$1.csv" && mv "$work/$id.json" "$work/start$1.json"; }; then die "cannot write into $results"; fi
}

# start_rows FILE START: its lines with the start as ninth cell. Quoted cells may hold commas and ends of lines.
start_rows() {
    awk -v start="$2" '
        function quotes(text) { return gsub(/"/, "", text) }
        { record = record (record == "" ? "" : "\n") $0 }
        quotes(record) % 2 { next }
        {
            row++
            quoted = cells = 0
            for (at = 1; cells < 8; at++) {
                letter = substr(record, at, 1)
                if (letter == "\"") quoted = !quoted
                cells += letter == "" || (letter == "," && !quoted)
            }
            if (row > 1 || start == 0)
                print substr(record, 1, at - 1) (row == 1 ? "start" : start) "," substr(record, at)
            record = ""
        }' "$1"
}

# merge_starts: the starts that were kept, as ID.csv and ID.json.
merge_starts() {
    local start header
    header=$(head -n 1 "$work/start0.csv")
    for ((start = 0; ; start++)); do
        [ -e "$work/start$start.csv" ] || break
        [ "$(head -n 1 "$work/start$start.csv")" = "$header" ] || die "$id has other columns in its start $start than before"
        start_rows "$work/start$start.csv" "$start" || die "cannot write into $results"
    done >"$work/$id.csv"
    sqlite3 -batch -bail -init /dev/null :memory: "
        WITH RECURSIVE part(start, document) AS (
            SELECT 0, CAST(readfile('${work//\'/\'\'}/start0.json') AS TEXT)
            UNION ALL SELECT start + 1, CAST(readfile('${work//\'/\'\'}/start' || (start + 1) || '.json') AS TEXT) FROM part
            WHERE start + 1 < $start),
        ends AS (SELECT first.document AS first, last.document AS last FROM part AS first, part AS last
                 WHERE first.start = 0 AND last.start = $start - 1)
        SELECT json_set(last, '\$.meta.start_utc', json_extract(first, '\$.meta.start_utc'),
            '\$.state.before', json_extract(first, '\$.state.before'),
            '\$.status', (SELECT json_extract(document, '\$.status') AS word FROM part
                          ORDER BY word = 'TIMEOUT' DESC, word = 'OUT_OF_REFERENCE' DESC LIMIT 1),
            '\$.starts', (SELECT json_group_array(json_object('start_utc', json_extract(document, '\$.meta.start_utc'),
                'end_utc', json_extract(document, '\$.meta.end_utc'), 'state', json_extract(document, '\$.state')))
                FROM (SELECT document FROM part ORDER BY start)))
        FROM ends" >"$work/$id.json" || die "cannot write into $results"
    rm -f "$work"/start*.csv "$work"/start*.json
}
