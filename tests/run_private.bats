# What a run keeps beside its results: a private folder that goes with it, and leftovers of those that were killed.
# shellcheck disable=SC2086,SC2164,SC2154,SC2012
# The paths here have no blanks, bats stops at a failed command, and `run` sets output.

bats_require_minimum_version 1.5.0
load fixtures/run/setup.bash

# In the manifest, a program that tells its environment.
telling() {
    cat >build/soft/bin/telling <<'PROGRAM'
#!/bin/sh
{ echo "$TMPDIR"; stat -c %a "$TMPDIR"; env | grep -E '^(OMPI|PRTE)_MCA_' | sort; } >"$TOLD"
exec "$(dirname "$0")/fake" "$@"
PROGRAM
    chmod +x build/soft/bin/telling
    sed -i 's/^demo_slow\tfake/demo_slow\ttelling/' alpha/experiments.tsv
    export TOLD=$PWD/told
}

@test "a run has a private folder in TMPDIR, where Open MPI's is too, and removes it" {
    telling
    mkdir mine
    export TMPDIR=$PWD/mine
    run -0 run/experiment demo_slow
    [[ $(sed -n 1p told) == "$PWD/mine/datamotion.$UID."* ]]
    [ "$(sed -n 2p told)" = 700 ]
    grep -q "^OMPI_MCA_orte_tmpdir_base=$PWD/mine/datamotion" told
    grep -q "^PRTE_MCA_prte_tmpdir_base=$PWD/mine/datamotion" told
    grep -q "^OMPI_MCA_btl_vader_backing_directory=/dev/shm/datamotion.$UID" told
    [ -z "$(ls mine)" ]
    [ ! -e "$(sed -n 's/^OMPI_MCA_btl_vader_backing_directory=//p' told)" ]
}

@test "a TMPDIR that cannot be used is a sentence; a /tmp that cannot is avoided" {
    TMPDIR=$PWD/none fails_with 'is no folder that can be written into' run/experiment demo_slow
    unshare --mount true 2>/dev/null || skip 'needs root for a small /tmp'
    telling
    run -0 unshare --mount bash -c "mount --bind $PWD /mnt && mount -t tmpfs -o size=64k none /tmp &&
        cd /mnt && unset TMPDIR && TOLD=/mnt/told run/experiment demo_slow"
    [ -s $R/demo_slow.csv ]
    [[ $(sed -n 1p told) == /var/tmp/datamotion.* || $(sed -n 1p told) == /dev/shm/datamotion.* ]]
}

@test "folders of runs that were killed are removed by the next run, those of runs that live are not" {
    mkdir mine
    export TMPDIR=$PWD/mine
    mkdir mine/datamotion.$UID.4194305.dead00 mine/datamotion.$UID.$$.alive0 mine/datamotion.$UID.4194305.locked
    ln -s "$PWD/alpha" mine/datamotion.$UID.4194305.link00
    exec 8<mine/datamotion.$UID.4194305.locked
    flock -n 8
    if [ "$UID" -eq 0 ]; then
        mkdir mine/datamotion.$UID.4194305.theirs
        chown 65534 mine/datamotion.$UID.4194305.theirs
    fi
    run -0 run/experiment demo_slow
    [ ! -e mine/datamotion.$UID.4194305.dead00 ]
    [ -e mine/datamotion.$UID.$$.alive0 ]
    [ -e mine/datamotion.$UID.4194305.locked ]
    [ -e mine/datamotion.$UID.4194305.link00/experiments.tsv ]
    [ "$UID" -ne 0 ] || [ -e mine/datamotion.$UID.4194305.theirs ]
    exec 8<&-
}

@test "a run that is killed with its program leaves nothing that outlives the next one" {
    mkdir mine
    export TMPDIR=$PWD/mine
    run/experiment --scale small demo_pending 2>/dev/null 3>&- &
    local pid=$!
    for _ in {1..200}; do
        pgrep -f "$PWD/build/soft/bin/fake" >/dev/null && break
        sleep 0.05
    done
    [ -n "$(ls mine)" ]
    kill -9 $pid
    for _ in {1..200}; do
        pgrep -f "$PWD/build/soft/bin/fake" >/dev/null || break
        sleep 0.05
    done
    flock -w 30 $R/.measuring true
    run -0 run/experiment demo_slow
    [ -z "$(ls mine)" ]
    [ -z "$(ls -d $R/.demo* 2>/dev/null)" ]
}

@test "a process that outlived its killed run is ended by the next one" {
    mkdir mine
    export TMPDIR=$PWD/mine
    mkdir mine/datamotion.$UID.4194305.orphan
    TMPDIR=$PWD/mine/datamotion.$UID.4194305.orphan sleep 300 3>&- 8<mine/datamotion.$UID.4194305.orphan &
    local pid=$!
    run -0 run/experiment demo_slow
    wait $pid || [ $? -eq 137 ]
    run -0 run/experiment demo_slow
    [ -z "$(ls mine)" ]
}

@test "segments of Open MPI that no process has mapped are removed when they are old" {
    [ -w /dev/shm ] || skip '/dev/shm cannot be written'
    local mine
    mine=/dev/shm/vader_segment.$(uname -n).$UID.test$$
    for kind in old young; do head -c 4096 /dev/zero >$mine.$kind; done
    touch -d '5 minutes ago' $mine.old
    run -0 run/experiment demo_slow
    [ ! -e $mine.old ]
    [ -e $mine.young ]
    rm $mine.young
}

@test "a folder of another user in /dev/shm is neither used nor removed by a cluster" {
    [ "$UID" -eq 0 ] || skip 'only root can give a folder to another user'
    local theirs=/dev/shm/datamotion-theirs$$
    mkdir $theirs
    chown 65534 $theirs
    source "$MAIN/run/shell.sh"
    source "$MAIN/run/cluster_state.sh"
    run make_memory $theirs
    [ "$status" -eq 1 ]
    says "$theirs is there and not ours"
    remove_memory $theirs
    [ -d $theirs ]
    rmdir $theirs
    ln -s "$PWD/alpha" $theirs
    run make_memory $theirs
    [ "$status" -eq 1 ]
    rm $theirs
    make_memory $theirs && touch $theirs/old && make_memory $theirs # a leftover of ours is made anew
    [ "$(stat -c %a $theirs)" = 700 ] && [ -z "$(ls $theirs)" ]
    rmdir $theirs
}
