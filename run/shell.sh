# shell.sh: what the scripts of run/ share; sourced, not run.
# shellcheck shell=bash
# shellcheck disable=SC2034 # variables are used by the scripts that source this file

# shellcheck source=run/publish.sh
source "${BASH_SOURCE[0]%/*}/publish.sh"

ROOT=$(cd "${BASH_SOURCE[0]%/*}/.." && pwd)
ME=${0##*/}
TAB=$'\t'
export LC_ALL=C

# Ends the script with one sentence on stderr.
die() {
    printf 'run/%s: %s\n' "$ME" "$*" >&2
    exit 1
}

# The help text of a script is the comment at its head.
help() {
    sed -n '2,/^[^#]/ { /^#/ s/^# \{0,1\}//p }' "$0"
    exit 0
}

# value_of OPTION VALUE...: the value that must follow an option.
value_of() {
    [ $# -ge 2 ] || die "$1 needs a value; see run/$ME -h"
    printf '%s' "$2"
}

# The directory RESULTS must be there and be a directory.
need_results() {
    [ -d "$1" ] || die "no results directory $1; measure first (make reproduce), or name another"
    finish_interrupted_publishing "$1"
}

# need_tool NAME: the path of a compiled tool, or a sentence that says how to get it.
need_tool() {
    local tool=${TOOLS:-$ROOT/build/tools}/$1
    [ -e "$tool" ] || die "$tool is not built; $("$ROOT/run/left_out" "$1" | grep . || echo "run: make -C $ROOT/run")"
    printf '%s' "$tool"
}

need_scale() {
    case $1 in
    smoke | small | full) ;;
    *) die "unknown scale '$1'; it is smoke, small or full" ;;
    esac
}
