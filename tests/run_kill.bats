# Whatever of a run is killed, and whenever: results are whole, and nothing is left that outlives the next run.
# KILLS: how many (8). KILL_SEED: of their moments and victims.
# shellcheck disable=SC2086,SC2164,SC2154,SC2012
# The paths here have no blanks, bats stops at a failed command, and `run` sets output.

bats_require_minimum_version 1.5.0
load fixtures/run/setup.bash

# A run that measures all experiments, as make measure does; each process of it can be told by a variable of its environment.
start_measuring() {
    KILL_MARK=$mark setsid bash -c 'for id in demo_slow demo_copy demo_ranks demo_hosts; do run/experiment $id || exit; done' \
        >>talk 2>&1 3>&- &
    leader=$!
}

marked() {
    grep -lsz "^KILL_MARK=$mark\$" /proc/[0-9]*/environ | cut -d/ -f3 || true
}

# Kills one process of the run or all, by one of the signals; prints what it did.
kill_some() {
    local signals=(TERM INT KILL KILL HUP) victims victim signal
    signal=${signals[RANDOM % ${#signals[@]}]}
    mapfile -t victims < <(marked)
    if [ ${#victims[@]} -eq 0 ]; then
        echo "nothing left to kill"
    elif [ $((RANDOM % 3)) -eq 0 ]; then
        echo "all with $signal"
        kill -s $signal -- -$leader 2>/dev/null || true
    else
        victim=${victims[RANDOM % ${#victims[@]}]}
        echo "$victim $(tr '\0' ' ' <"/proc/$victim/cmdline" 2>/dev/null | cut -c1-80) with $signal"
        kill -s $signal $victim 2>/dev/null || true
    fi
}

wait_until_gone() {
    local i
    for ((i = 0; i < 1200; i++)); do # a minute: a cluster waits half of one for a lost daemon
        [ -n "$(marked)" ] || return 0
        # What hangs, as a child of a killed mpirun may, is for the next run to end.
        [ $i -ne 900 ] || run/experiment demo_slow >/dev/null 2>&1 || true
        sleep 0.05
    done
    echo "still running:"
    marked | xargs -r -n 1 ps -o pid=,ppid=,args= -p
    return 1
}

# Each result is a whole pair or not there at all.
are_whole() {
    local id
    run/collect $R >/dev/null
    for id in demo_slow demo_copy demo_ranks demo_hosts; do
        if [ -e $R/$id.csv ] || [ -e $R/$id.json ]; then
            jq -e '.status == "PASS" or .status == "WAIVED"' $R/$id.json >/dev/null
            [ "$(tail -c 1 $R/$id.csv | od -An -tx1)" = ' 0a' ]
        fi
    done
}

networks() {
    { ip -o link; ip netns list; ls /run/datamotion; } 2>/dev/null | grep -c "$DATAMOTION_CLUSTER" || true
}

# What the next run must have removed. Folders of other tests' runs, which live, are theirs.
left_behind() {
    local folder pid
    ls -A mine
    ls -d $R/.demo* /dev/shm/datamotion-"$DATAMOTION_CLUSTER"* 2>/dev/null || true
    for folder in /dev/shm/datamotion."$UID".*; do
        pid=${folder#/dev/shm/datamotion."$UID".} pid=${pid%%.*}
        [ ! -d "$folder" ] || [ -e "/proc/$pid" ] || ! flock -n "$folder" true || echo "$folder"
    done
}

@test "killed at random moments, whole or a process of it: nothing is half-written, and nothing is left" {
    command -v setpriv >/dev/null || skip 'setpriv is not installed'
    local kills=${KILLS:-8} at moment
    local mark=kill$$.$BATS_TEST_NUMBER
    RANDOM=${KILL_SEED:-$(date +%s)}
    mkdir mine
    mkdir -p $R
    export TMPDIR=$PWD/mine DATAMOTION_CLUSTER=k$$ MPIRUN=${MPIRUN:-mpirun}
    # Ranks on hosts of a virtual cluster, where there can be one, in one of four runs: making it takes a second or two.
    printf 'demo_hosts\tfake\t--times a:8:1e-3 --slow 0.3\t-\t-\t2\t0\tcluster=2\t0.1/1/5\t-\t-0.2/0.1\n' >>alpha/experiments.tsv
    for ((at = 1; at <= kills; at++)); do
        start_measuring
        moment=$((RANDOM % 3500))
        sleep "$((moment / 1000)).$(printf '%03d' $((moment % 1000)))"
        echo "kill $at after $moment ms: $(kill_some)"
        if [ -e "/proc/$leader" ] && [ $((RANDOM % 2)) -eq 0 ]; then
            kill -s KILL -- -$leader 2>/dev/null || true # the rest, half-way
        fi
        kill -s TERM $leader 2>/dev/null || true
        wait $leader 2>/dev/null || true
        wait_until_gone
        are_whole
    done
    # The next run finds and removes what they left; a cluster's leftovers are removed by the next cluster.
    run -0 run/experiment demo_slow
    run -0 run/experiment demo_hosts
    are_whole
    echo "left: $(left_behind)"
    [ -z "$(left_behind)" ]
    [ "$(networks)" -eq 0 ]
}
