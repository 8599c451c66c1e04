# progress.sh: the line `[12/57] id  3m10s left`; sourced by run/experiment, which sets id, scale, gpu and
# results.
# shellcheck shell=bash
# shellcheck disable=SC2154

# The plan: ids in the order of measuring, this experiment alone where no plan is given.
plan() {
    if [ -r "${DATAMOTION_PLAN:-}" ] && grep -qx "$id" "$DATAMOTION_PLAN"; then
        grep -v '^$' "$DATAMOTION_PLAN"
    else
        echo "$id"
    fi
}

# progress TEXT: one line of talk about this experiment.
progress() {
    plan | awk -v id="$id" -v text="$1" '
        $0 == id && !place { place = NR }
        END { printf "[%d/%d] %s  %s\n", place, NR, id, text }' >&2
}

# The time that this experiment and those after it in the plan will take. An experiment that was measured
# here before at this scale takes its last time; the others the manifest's minutes, scaled by what the
# measured ones took of theirs.
time_left() {
    local durations=$results/.durations
    [ -r "$durations" ] || durations=/dev/null
    awk -F'\t' -v id="$id" -v scale="$scale" -v gpu="$gpu" '
        BEGIN { minutes = scale == "smoke" ? 10 : scale == "small" ? 11 : 12 }
        FILENAME == ARGV[1] { estimate[$1] = 60 * $minutes; next }
        FILENAME == ARGV[2] { if ($2 == scale && $3 == gpu) took[$1] = $4; next }
        $0 == id { reached = 1 }
        reached { ahead[$0] = 1 }
        END {
            for (i in took)
                if (i in estimate) { real += took[i]; planned += estimate[i] }
            factor = planned > 0 ? real / planned : 1
            for (i in ahead)
                left += i in took ? took[i] : factor * estimate[i]
            left = int(left + 0.5)
            if (left >= 3600) printf "%dh%02dm", left / 3600, left % 3600 / 60
            else printf "%dm%02ds", left / 60, left % 60
        }' <("$ROOT/run/manifest" rows) "$durations" <(plan)
}

# remember_duration START: notes how long this experiment took here, one line for each experiment,
# scale and GPU.
remember_duration() {
    local file=$results/.durations
    {
        [ ! -r "$file" ] || awk -F'\t' -v id="$id" -v scale="$scale" -v gpu="$gpu" \
            '!($1 == id && $2 == scale && $3 == gpu)' "$file"
        awk -v id="$id" -v scale="$scale" -v gpu="$gpu" -v start="$1" -v end="$(date +%s.%N)" \
            'BEGIN { printf "%s\t%s\t%s\t%.1f\n", id, scale, gpu, end - start }'
    } >"$file.new" && mv "$file.new" "$file"
}
