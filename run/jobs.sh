# jobs.sh: what run/submit and run/job share: the site's file, merging of what a job measured, the state of jobs.
# shellcheck shell=bash

# The site's settings; see run/site.example.
load_site() {
    # shellcheck disable=SC2034 # run/submit reads it
    SITE_OPTIONS=()
    local site=${DATAMOTION_SITE:-$ROOT/run/site}
    # shellcheck disable=SC1090
    [ ! -r "$site" ] || source "$site"
}

# take_result FROM TO ID: a complete result of a job takes the place of what is in TO, by publishing it. Time stamps stay, so
# that make knows how old it is. A waived one takes no measured one's place.
take_result() {
    local from=$1 results=$2 id=$3 work file
    [ -s "$from/$id.csv" ] && [ -s "$from/$id.json" ] || return 1
    [ "$from/$id.csv" -nt "$results/$id.csv" ] || return 1
    if is_measured && has_status WAIVED "$from/$id.json"; then return 1; fi
    if is_complete && has_status TIMEOUT "$from/$id.json"; then return 1; fi
    work=$(mktemp -d "$results/.$id.XXXXXX")
    for file in csv json; do
        cp -p "$from/$id.$file" "$work/$id.$file"
    done
    [ ! -e "$from/$id.log" ] || cp -p "$from/$id.log" "$results/$id.log"
    publish
}

# merge_job FROM TO: what the job measured goes to TO; prints how many results. Not where results of other settings lie.
merge_job() {
    local from=$1 to=$2 id taken=0
    [ -s "$from/.settings" ] || { echo 0 && return; }
    mkdir -p "$to"
    if [ -s "$to/.settings" ] && ! cmp -s "$from/.settings" "$to/.settings"; then
        echo "$to holds results of '$(cat "$to/.settings")', the job's are of '$(cat "$from/.settings")': they stay in $from" >&2
        echo 0
        return
    fi
    exec 9>>"$to/.measuring"
    flock -w 600 9 || die "something has measured into $to for ten minutes; merge later: run/submit --status"
    finish_interrupted_publishing "$to"
    [ -s "$to/.settings" ] || cp -p "$from/.settings" "$to/.settings"
    for id in $(cd "$from" && compgen -G '*.json' | sed 's/\.json$//'); do
        ! take_result "$from" "$to" "$id" || taken=$((taken + 1))
    done
    exec 9>&-
    echo "$taken"
}

# Whether the batch system still knows a job.
is_queued() {
    if command -v squeue >/dev/null; then
        squeue -h -j "$1" -o %T 2>/dev/null | grep -q .
    elif command -v qstat >/dev/null; then
        qstat "$1" >/dev/null 2>&1
    else
        return 1
    fi
}

# One line of a job; what one that was killed left is merged.
show_job() {
    local folder=$1 state id part taken complete
    state=$(cat "$folder/state" 2>/dev/null || echo submitted)
    id=$(cat "$folder/jobid" 2>/dev/null || echo '?')
    case $state in
    submitted | running*)
        if is_queued "$id"; then
            [ "$state" != submitted ] || state=queued
        else
            taken=0
            for part in "$folder/results" "$folder"/results-*; do
                [ ! -d "$part" ] || taken=$((taken + $(merge_job "$part" "$(cat "$folder/target")")))
            done
            state="ended without a word; $taken results merged now"
            echo "$state" >"$folder/state"
        fi
        ;;
    esac
    complete=$(find "$folder" -name '*.json' -path '*/results*' | wc -l)
    printf '%-8s %-40s %s of %s experiments  %s\n' "$id" "${folder##*/}" "$complete" "$(wc -l <"$folder/experiments")" "$state"
}

show_jobs() {
    local folder
    cd "$ROOT" || exit 1
    for folder in results/local/jobs/*/; do
        [ ! -e "$folder/experiments" ] || show_job "${folder%/}"
    done
}
