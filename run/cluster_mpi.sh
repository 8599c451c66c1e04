# cluster_mpi.sh: Open MPI in a virtual cluster; sourced by run/cluster.
# shellcheck shell=bash
# shellcheck disable=SC2154 # run/cluster sets name, hosts, rate and delay

# ranks_of MPIRUN_ARGUMENTS...: the number of ranks asked for; nothing if there is none.
ranks_of() {
    while [ $# -gt 1 ]; do
        case $1 in
        -np | --np | -n | --n | -c)
            [[ ! $2 =~ ^[1-9][0-9]{0,3}$ ]] || printf '%s' "$2"
            return
            ;;
        esac
        shift
    done
}

# Makes a cluster for this run alone, which ends with it in whatever way it ends. Its `owner` is locked as long as this
# script lives.
own_cluster() {
    name=${name:0:24}-$$
    lock
    reap_abandoned
    mkdir "$(state "$name")" || die "the cluster '$name' is up already; run/cluster down --name $name ends it"
    trap 'trap "" INT TERM HUP; lock; take_down "$name"' EXIT
    trap 'exit 1' INT TERM HUP
    exec 8>"$(state "$name")/owner"
    flock -n 8
    make_cluster
    unlock
}

# slots CLUSTER RANKS: mpirun's list of hosts: consecutive ranks, as evenly as can be.
slots() {
    local count i share list='' there=()
    mapfile -t there < <(hosts_of "$1")
    count=${#there[@]}
    for ((i = 0; i < count && i < $2; i++)); do
        share=$(($2 / count + (i < $2 % count)))
        list+=,h$i:$share
    done
    printf '%s' "${list#,}"
}

# Open MPI's parameters, as environment so that mpirun's own options override them.
# Ranks of different hosts meet on the links alone; each host believes that it has all cores, so no rank is bound and
# all yield; and what Open MPI leaves in files lies where `down` removes it.
open_mpi_settings() {
    local directory shared
    directory=$(state "$1")
    shared=$(memory "$1")
    export DATAMOTION_CLUSTER=$1 DATAMOTION_HOST=${DATAMOTION_HOST:-$(uname -n)}
    read -r DATAMOTION_CLUSTER_RATE _ DATAMOTION_CLUSTER_DELAY <<<"$(rates "$1" h0)"
    export DATAMOTION_CLUSTER_RATE DATAMOTION_CLUSTER_DELAY=${DATAMOTION_CLUSTER_DELAY#none} # for the results
    DATAMOTION_NODES="virtual cluster: $(hosts_of "$1" | paste -sd ' '); ethernet eth0, $DATAMOTION_CLUSTER_RATE, MTU $(ip netns exec "$(namespace "$1" h0)" cat /sys/class/net/eth0/mtu)"
    export DATAMOTION_NODES
    export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
    export OMPI_MCA_plm=rsh OMPI_MCA_plm_rsh_agent=$directory/agent OMPI_MCA_plm_rsh_no_tree_spawn=1
    export OMPI_MCA_oob_tcp_if_include=$SUBNET.0/24 OMPI_MCA_btl_tcp_if_include=$SUBNET.0/24
    export OMPI_MCA_pml=ob1 OMPI_MCA_btl=self,vader,tcp
    export OMPI_MCA_hwloc_base_binding_policy=none OMPI_MCA_mpi_yield_when_idle=1
    export OMPI_MCA_orte_tmpdir_base=$directory/tmp
    export OMPI_MCA_btl_vader_backing_directory=$shared OMPI_MCA_osc_sm_backing_directory=$shared
    one_sided_settings "$shared"
}

# One-sided communication. Of Open MPI 4.1's components only ucx crosses TCP under MPI_THREAD_MULTIPLE: rdma does not
# cross it, and within a host fails in MPI_Compare_and_swap; pt2pt refuses threads. UCX tells hosts apart by their
# IPC namespaces, which `exec` makes. It calls a peer that finalizes first an error: hence the log level. From 4.1.6 on it is
# left out where there is no InfiniBand, unless it is told that any transport will do.
one_sided_settings() {
    export OMPI_MCA_osc=${OMPI_MCA_osc:-sm,ucx}
    export OMPI_MCA_opal_common_ucx_tls=${OMPI_MCA_opal_common_ucx_tls:-any}
    export OMPI_MCA_opal_common_ucx_devices=${OMPI_MCA_opal_common_ucx_devices:-any}
    export UCX_TLS=tcp,posix,cma,self UCX_NET_DEVICES=eth0,lo UCX_POSIX_DIR=$1
    export UCX_LOG_LEVEL=${UCX_LOG_LEVEL:-fatal}
}

# mpirun would wait for ever for a host that cannot be reached; one that can refuses a connection at once.
need_answers() {
    local host answer
    for host in $(hosts_of "$1"); do
        answer=$(ip netns exec "$(namespace "$1" h0)" timeout 20 bash -c ": </dev/tcp/$(address "$host")/9" 2>&1 || true)
        [[ $answer == *refused* ]] ||
            die "the host $host of the cluster '$1' does not reply; take the cluster down and up again"
    done
}

# The daemon of Open MPI on a host; nothing if none runs there.
daemon_on() { # cluster, host
    local pid
    for pid in $(ip netns pids "$(namespace "$1" "$2")" 2>/dev/null); do
        case $(cat "/proc/$pid/comm" 2>/dev/null) in
        orted | prted) echo "$pid" && return ;;
        esac
    done
}

# watch_daemons CLUSTER HOSTS MPIRUN_PID: where a daemon is killed while the ranks start, mpirun may wait for it until the time
# limit. It is ended when a host has been without one for so long. As long as all run, only /proc is looked at: what
# runs here is measured.
DAEMON_WAIT_S=30
watch_daemons() {
    local host
    local -A pids=() missing=()
    while [ -d "/proc/$$" ] && [ -d "/proc/$3" ]; do
        sleep 1
        for host in $2; do
            [ -z "${pids[$host]:-}" ] || [ ! -d "/proc/${pids[$host]}" ] || continue
            pids[$host]=$(daemon_on "$1" "$host")
            missing[$host]=$([ -n "${pids[$host]}" ] || echo $((${missing[$host]:-0} + 1)))
            [ "${missing[$host]:-0}" -lt $DAEMON_WAIT_S ] || { end_without_daemon "$3" "$host" && return; }
        done
    done
}

end_without_daemon() { # mpirun's pid, host
    [ -d "/proc/$1" ] || return 0
    echo "run/cluster: Open MPI's daemon on the host $2 has ended, and mpirun waits for it; the run is ended" >&2
    kill -TERM "$1" 2>/dev/null || true
    sleep 2
    kill -KILL "$1" 2>/dev/null || true
}

# mpirun_in CLUSTER RANKS ARGUMENTS...: runs mpirun on the host h0; its exit code.
mpirun_in() {
    local list code=0
    list=$(slots "$1" "$2")
    need_answers "$1"
    open_mpi_settings "$1"
    setpriv --pdeathsig TERM "$ROOT/run/cluster" exec --name "$1" h0 \
        "${MPIRUN:-mpirun}" --host "$list" "${@:3}" <&0 8>&- &
    mpirun=$!
    # h0 has mpirun itself.
    watch_daemons "$1" "$(tr , '\n' <<<"$list" | cut -d: -f1 | grep -vx h0 || true)" "$mpirun" </dev/null >/dev/null 8>&- &
    watcher=$!
    trap 'end_mpirun $mpirun' INT TERM HUP
    wait "$mpirun" || code=$?
    kill "$watcher" 2>/dev/null || true
    exit $code
}

# Ends mpirun, which ends its ranks; two seconds after asking it is killed.
end_mpirun() {
    local i
    trap '' INT TERM HUP
    kill -TERM "$1" "$watcher" 2>/dev/null || true
    for ((i = 0; i < 40; i++)); do
        kill -0 "$1" 2>/dev/null || exit 143
        sleep 0.05
    done
    kill -KILL "$1" 2>/dev/null || true
    exit 143
}
