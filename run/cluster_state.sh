# cluster_state.sh: which clusters there are, how one begins and how it ends; sourced by run/cluster.
# A cluster is a directory in $CLUSTERS: it is made before anything else and removed after everything else.
# shellcheck shell=bash
# shellcheck disable=SC2154 # run/cluster sets name, hosts, rate and delay

CLUSTERS=/run/datamotion
LOCK_WAIT_S=60

# state CLUSTER: its directory: `hosts` (as /etc/hosts), `agent` (which mpirun calls), `tmp/` (Open MPI's), and
# `owner` if it belongs to a run/cluster mpirun.
state() {
    printf '%s/%s' "$CLUSTERS" "$1"
}

# memory CLUSTER: its directory for shared memory of ranks on one host.
memory() {
    printf '/dev/shm/datamotion-%s' "$1"
}

clusters() {
    [ ! -d "$CLUSTERS" ] || ls "$CLUSTERS"
}

is_up() {
    [ -d "$(state "$1")" ]
}

# One at a time makes or removes clusters.
lock() {
    mkdir -p "$CLUSTERS" || die "cannot make $CLUSTERS"
    exec 9<"$CLUSTERS"
    flock -w $LOCK_WAIT_S 9 ||
        die "another run/cluster is at work for more than $LOCK_WAIT_S s; see: fuser -v $CLUSTERS"
}

unlock() {
    exec 9<&-
}

# Anybody may make a folder of that name in /dev/shm: what is not ours is not used, and not removed.
make_memory() {
    remove_memory "$1"
    mkdir -m 700 "$1" 2>/dev/null || die "$1 is there and not ours; remove it, or choose another --name"
}

remove_memory() {
    if [ -d "$1" ] && [ ! -L "$1" ] && [ -O "$1" ]; then rm -rf "$1"; fi
}

# Makes the cluster $name as $hosts, $rate and $delay say. The caller takes it down if this fails.
make_cluster() {
    local i directory bits late
    directory=$(state "$name") bits=$(rate_bits "$rate") late=$(delay_us "$delay")
    mkdir -p "$directory/tmp"
    make_memory "$(memory "$name")"
    echo "127.0.0.1 localhost" >"$directory/hosts"
    ln -s "$ROOT/run/cluster_agent" "$directory/agent"
    make_switch
    for ((i = 0; i < hosts; i++)); do
        echo "$(address "h$i") h$i" >>"$directory/hosts"
        make_host "$i" "$bits" "$late"
    done
}

# Ends what runs in the hosts, two seconds after asking. What is killed may take longer on a busy machine.
stop_processes() {
    local signal pids i
    local -A turns=([TERM]=40 [KILL]=600)
    for signal in TERM KILL; do
        for ((i = 0; i < turns[$signal]; i++)); do
            pids=$(namespaces "$1" | xargs -r -n 1 ip netns pids)
            [ -n "$pids" ] || return 0
            # shellcheck disable=SC2086 # a list of numbers
            [ "$i" -gt 0 ] || kill -s $signal $pids 2>/dev/null || true
            sleep 0.05
        done
    done
    die "the processes ${pids//$'\n'/ } in the cluster '$1' do not end; try again when they have"
}

# take_down CLUSTER: nothing of it is left; no error if nothing was there.
take_down() {
    stop_processes "$1"
    remove_network "$1"
    remove_memory "$(memory "$1")"
    rm -rf "$(state "$1")"
}

# Takes down the clusters of a run/cluster mpirun that was killed: nobody holds the lock of its owner. An empty directory is
# that of one killed before it had an owner: who makes one holds the lock that we hold.
reap_abandoned() {
    local owner
    find "$CLUSTERS" -mindepth 1 -maxdepth 1 -type d -empty -delete
    for owner in "$CLUSTERS"/*/owner; do
        if [ -e "$owner" ] && flock -n "$owner" true; then
            take_down "$(basename "$(dirname "$owner")")"
        fi
    done
}

describe() {
    local host up down late
    printf '%-5s %-12s %10s %10s %8s %14s %14s\n' host address send receive delay sent_bytes received_bytes
    for host in $(hosts_of "$1"); do
        read -r up down late <<<"$(rates "$1" "$host")"
        printf '%-5s %-12s %10s %10s %8s %14s %14s\n' "$host" "$(address "$host")" "$up" "$down" "$late" \
            "$(counter "$1" "$host" tx_bytes)" "$(counter "$1" "$host" rx_bytes)"
    done
}
