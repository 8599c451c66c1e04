# private.sh: where a run keeps what lives as long as it does; sourced by run/experiment.
#
# A run has a folder of its own for temporary files, which is the TMPDIR of its program and of Open MPI (which would fail with
# an error of ORTE's where /tmp is read-only or full), and one for shared memory. Nobody else can enter them (0700). A run
# that was killed leaves them behind; the next one removes those whose process is gone and whose lock nobody holds: a
# process sees those of its own container alone, a lock is seen by all.
# shellcheck shell=bash

PRIVATE_MIB=16 # that are free at least: what Open MPI needs of its session folder

# has_room FOLDER: whether it can be written into, and so much is free.
has_room() {
    local free
    [ -d "$1" ] && [ -w "$1" ] && free=$(df -Pk "$1" 2>/dev/null | awk 'NR == 2 { print $4 }') &&
        [ "${free:-0}" -ge $((PRIVATE_MIB * 1024)) ]
}

# Where the folder is made: in TMPDIR if that is set, else where there is room.
private_base() {
    local base
    if [ -n "${TMPDIR:-}" ]; then
        has_room "$TMPDIR" || die "TMPDIR=$TMPDIR is no folder that can be written into with $PRIVATE_MIB MiB free; set another"
        printf '%s' "$TMPDIR"
        return
    fi
    for base in /tmp /var/tmp /dev/shm; do
        ! has_room "$base" || { printf '%s' "$base" && return; }
    done
    die "neither /tmp nor /var/tmp nor /dev/shm can be written into with $PRIVATE_MIB MiB free; set TMPDIR"
}

# make_private BASE: a new folder, whose name says whose it is, locked as long as this process or one that it started lives.
make_private() {
    local lock
    made=$(mktemp -d "$1/datamotion.$UID.$$.XXXXXX" 2>/dev/null) || die "cannot make a folder in $1"
    exec {lock}<"$made"
    flock -n "$lock"
}

# Sets the environment of the program.
open_private() {
    local base
    own_tmpdir=${TMPDIR:-}
    remove_leftovers
    base=$(private_base) || exit 1
    make_private "$base"
    private=("$made")
    export TMPDIR=$made OMPI_MCA_orte_tmpdir_base=$made PRTE_MCA_prte_tmpdir_base=$made
    if has_room /dev/shm; then
        make_private /dev/shm
        private+=("$made")
        export OMPI_MCA_btl_vader_backing_directory=$made OMPI_MCA_btl_sm_backing_directory=$made
        export OMPI_MCA_osc_sm_backing_directory=$made
    fi
}

# Ranks on several nodes get the environment of this one, whose folders the others do not have: TMPDIR is the user's there, and the rest MPI's choice.
share_private() {
    unset OMPI_MCA_orte_tmpdir_base PRTE_MCA_prte_tmpdir_base OMPI_MCA_btl_vader_backing_directory \
        OMPI_MCA_btl_sm_backing_directory OMPI_MCA_osc_sm_backing_directory
    if [ -n "$own_tmpdir" ]; then TMPDIR=$own_tmpdir; else unset TMPDIR; fi
}

close_private() {
    [ ${#private[@]} -eq 0 ] || end_processes_of "${private[0]}"
    rm -rf "${private[@]}"
}

# end_processes_of FOLDER: what was started with it as TMPDIR and outlived its run, such as a child of mpirun that hangs
# between fork and exec since mpirun was killed.
end_processes_of() {
    local pid
    for pid in $(grep -lsz "^TMPDIR=$1\$" /proc/[0-9]*/environ | cut -d/ -f3); do
        [ ! -O "/proc/$pid" ] || kill -KILL "$pid" 2>/dev/null || true
    done
}

# Folders of runs that are gone. Only what is ours, and no link to elsewhere.
remove_leftovers() {
    local folder pid
    for folder in ${TMPDIR:+"$TMPDIR"/datamotion."$UID".*} {/tmp,/var/tmp,/dev/shm}/datamotion."$UID".*; do
        if [ ! -d "$folder" ] || [ -L "$folder" ] || [ ! -O "$folder" ]; then continue; fi
        pid=${folder##*/datamotion."$UID".} pid=${pid%%.*}
        [ ! -e "/proc/$pid" ] || continue
        end_processes_of "$folder"
        ! flock -n "$folder" true 2>/dev/null || rm -rf "$folder"
    done
    remove_segments
}

# Segments that Open MPI made for this user on this host where no run said otherwise, and that no process has mapped. One
# that is a minute old would have been.
remove_segments() {
    local segment mapped
    compgen -G "/dev/shm/vader_segment.$(uname -n).$UID.*" >/dev/null || return 0
    mapped=$(cat /proc/[0-9]*/maps 2>/dev/null | grep -o '/dev/shm/vader_segment[^ ]*' | sort -u || true)
    while IFS= read -r segment; do
        grep -qxF "$segment" <<<"$mapped" || rm -f "$segment"
    done < <(find /dev/shm -maxdepth 1 -type f -name "vader_segment.$(uname -n).$UID.*" -user "$UID" -mmin +1 2>/dev/null)
}
