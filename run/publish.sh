# publish.sh: how a new result takes the place of an older one; sourced by run/experiment, which sets id and work, and by
# whoever reads results.
#
# A result is a pair of files, ID.csv and ID.json, and no file system renames two files at once. The pair is first made
# durable in a folder of its own; renaming that folder to .ID.ready is the moment at which it is published. What is left
# is finished by whoever comes next, so that a kill or a full disk leaves the older result or the newer one, whole.
# shellcheck shell=bash
# shellcheck disable=SC2154

# finish_publishing RESULTS: moves what is published into place. The lock RESULTS/.measuring must be held.
finish_publishing() {
    local ready id
    for ready in "$1"/.*.ready; do
        [ -d "$ready" ] || continue
        id=${ready##*/.} id=${id%.ready}
        if [ -e "$ready/$id.json" ]; then mv -f "$ready/$id.json" "$1/$id.json" || return 1; fi
        if [ -e "$ready/$id.csv" ]; then mv -f "$ready/$id.csv" "$1/$id.csv" || return 1; fi
        if ! { rm -f "$1/$id.csv.gz" && sync "$1" && rm -rf "$ready"; }; then return 1; fi
    done
}

# The same for readers: nothing to do where nothing is left, and not theirs while somebody measures there.
finish_interrupted_publishing() {
    compgen -G "$1/.*.ready" >/dev/null || return 0
    ( flock -n 9 && finish_publishing "$1" ) 9>>"$1/.measuring" 2>/dev/null || true
}

# publish: the pair in $work becomes the result.
publish() {
    if ! { sync "$work/$id.csv" "$work/$id.json" "$work" && mv -T "$work" "$results/.$id.ready" &&
        sync "$results" && finish_publishing "$results"; }; then
        die "cannot write into $results: is the disk full?"
    fi
}

# has_status WORD JSON: whether the document says it.
has_status() {
    grep -q "\"status\": *\"$1\"" "$2"
}

# Whether there is a result that was measured, and not waived.
is_measured() {
    { [ -s "$results/$id.csv" ] || [ -s "$results/$id.csv.gz" ]; } && [ -s "$results/$id.json" ] &&
        ! has_status WAIVED "$results/$id.json"
}

# Whether it was not cut short by its time limit either.
is_complete() {
    is_measured && ! has_status TIMEOUT "$results/$id.json"
}
