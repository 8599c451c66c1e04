# waived.sh: the result of an experiment that cannot run here; sourced by run/experiment, which sets
# id, program, gpu, gpus and ranks.
# shellcheck shell=bash
# shellcheck disable=SC2154

# A JSON string.
json_string() {
    printf '"%s"' "$(printf '%s' "$1" | tr -d '\000-\037' | sed 's/[\\"]/\\&/g')"
}

# A CSV cell.
csv_cell() {
    case $1 in
    *[,\"]*) printf '"%s"' "${1//\"/\"\"}" ;;
    *) printf '%s' "$1" ;;
    esac
}

# write_waived DIRECTORY REASON: $id.csv with the one waived row, and $id.json with the reason.
write_waived() {
    local now commit cpu memory
    now=$(date -u +%FT%TZ)
    commit=${COMMIT:-$(git -C "$ROOT" rev-parse --short=12 HEAD 2>/dev/null || true)}
    if [ -n "$commit" ]; then commit=$(json_string "$commit"); else commit=null; fi
    cpu=$(sed -n 's/^model name[^:]*: *//p' /proc/cpuinfo | head -n 1)
    memory=$(awk '/^MemTotal:/ { printf "%.0f", $2 * 1024 }' /proc/meminfo)
    printf '%s\n%s,,%s,%s,0,%s,%s,0,,0,waived\n' \
        experiment,variant,gpu,host,rank,ranks,gpus,rep,time_s,errors,status \
        "$id" "$gpu" "$(csv_cell "${DATAMOTION_HOST:-$(uname -n)}")" "$ranks" "$gpus" >"$1/$id.csv" || return 1
    cat >"$1/$id.json" <<JSON
{"schema_version": 1,
 "meta": {"program": $(json_string "$program"), "version": null, "commit": $commit,
          "dirty": null, "argv": [], "start_utc": "$now", "end_utc": "$now",
          "experiment": $(json_string "$id"), "env": {}},
 "system": {"host": $(json_string "${DATAMOTION_HOST:-$(uname -n)}"), "kernel": $(json_string "$(uname -sr)"),
            "cpu": $(json_string "$cpu"), "memory_bytes": ${memory:-null}},
 "devices": [], "config": {}, "columns": [],
 "waived": [{"variant": "", "reason": $(json_string "$2")}],
 "status": "WAIVED", "reason": $(json_string "$2")}
JSON
}
