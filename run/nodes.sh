# nodes.sh: which real nodes this run may use, and what starts ranks on them; sourced by run/experiment and needs.sh.
# shellcheck shell=bash
# shellcheck disable=SC2154 # run/experiment sets ranks

# The nodes, one a line, this one first if it is among them: those of DATAMOTION_HOSTFILE (a name a line; what follows it,
# such as slots=4, is for mpirun), or of the allocation of Slurm or PBS. Nothing outside of both.
real_nodes() {
    {
        if [ -n "${DATAMOTION_HOSTFILE:-}" ]; then
            awk '!/^[ \t]*(#|$)/ { print $1 }' "$DATAMOTION_HOSTFILE"
        elif [ -n "${SLURM_JOB_NODELIST:-}" ]; then
            scontrol show hostnames "$SLURM_JOB_NODELIST"
        elif [ -r "${PBS_NODEFILE:-}" ]; then
            cat "$PBS_NODEFILE"
        fi
    } 2>/dev/null | awk -v here="${SLURMD_NODENAME:-$(uname -n)}" '
        { short = $1; sub(/\..*/, "", short) }
        !seen[$1]++ { if ($1 == here || short == here) first = $1; else rest = rest $1 "\n" }
        END { if (first) print first; printf "%s", rest }'
}

node_count() {
    real_nodes | wc -l
}

# Where the nodes come from, in words.
node_source() {
    if [ -n "${DATAMOTION_HOSTFILE:-}" ]; then
        echo "host file $DATAMOTION_HOSTFILE"
    elif [ -n "${SLURM_JOB_ID:-}" ]; then
        echo "Slurm job $SLURM_JOB_ID"
    else
        echo "PBS job ${PBS_JOBID:-}"
    fi
}

# The network between this node and another: type, device, rate and MTU as the kernel says them.
link_to() {
    local address device type=ethernet
    address=$(getent ahostsv4 "$1" | awk 'NR == 1 { print $1 }')
    device=$(PATH=$PATH:/usr/sbin:/sbin ip -o route get "${address:-$1}" 2>/dev/null | sed -n 's/.* dev \([^ ]*\).*/\1/p')
    [ -n "$device" ] || { echo "an unknown link" && return; }
    case $(cat "/sys/class/net/$device/type" 2>/dev/null) in
    32) type=InfiniBand ;;
    772) type=loopback ;;
    esac
    printf '%s %s, %s Mbit/s, MTU %s' "$type" "$device" "$(cat "/sys/class/net/$device/speed" 2>/dev/null || echo unknown)" \
        "$(cat "/sys/class/net/$device/mtu" 2>/dev/null || echo unknown)"
    if compgen -G '/sys/class/infiniband/*' >/dev/null; then
        printf '; RDMA devices: %s' "$(find /sys/class/infiniband -mindepth 1 -printf '%f ')"
    fi
}

# For the results: the nodes NAME..., where they come from, and what is between them.
describe_nodes() {
    printf '%s: %s; %s' "$(node_source)" "$*" "$(link_to "${2:-$1}")"
}

# The launcher: DATAMOTION_LAUNCHER, or the one that belongs to the mpirun that is found; without one, in a job of Slurm, srun.
launcher_name() {
    local said
    if [ -n "${DATAMOTION_LAUNCHER:-}" ]; then
        echo "$DATAMOTION_LAUNCHER"
        return
    fi
    said=$(timeout 5 "${MPIRUN:-mpirun}" --version 2>/dev/null | head -n 5 || true)
    case $said in
    *HYDRA* | *Hydra* | *mpich*) echo mpich ;;
    *'Open MPI'* | *OpenRTE*) echo openmpi ;;
    *) if [ -n "${SLURM_JOB_ID:-}" ] && ! command -v "${MPIRUN:-mpirun}" >/dev/null; then echo srun; else echo openmpi; fi ;;
    esac
}

# launch_on NODE...: the command that starts `ranks` ranks on these nodes (none: on this machine), consecutive ones on a
# node, as evenly as can be, is added to the array `command`.
launch_on() {
    local file
    file=$ROOT/run/launchers/$(launcher_name)
    [ -r "$file" ] || die "unknown launcher '$(launcher_name)'; there are: $(cd "$ROOT/run/launchers" && echo *)"
    # shellcheck source=run/launchers/openmpi
    source "$file"
    launch "$ranks" "$@"
}

# Between real nodes: one-sided communication as on the virtual cluster (cluster_mpi.sh says why). Where there is no InfiniBand, ucx is told
# that TCP will do, and messages take Open MPI's own. What the site or the user sets stays.
open_mpi_between_nodes() {
    export OMPI_MCA_osc=${OMPI_MCA_osc:-sm,ucx} UCX_LOG_LEVEL=${UCX_LOG_LEVEL:-fatal}
    ! compgen -G '/sys/class/infiniband/*' >/dev/null || return 0
    export OMPI_MCA_opal_common_ucx_tls=${OMPI_MCA_opal_common_ucx_tls:-any} OMPI_MCA_opal_common_ucx_devices=${OMPI_MCA_opal_common_ucx_devices:-any}
    export OMPI_MCA_pml=${OMPI_MCA_pml:-ob1}
}

# share_of RANKS NODES I: the number of ranks of node I.
share_of() {
    echo $(($1 / $2 + ($3 < $1 % $2)))
}

# host_list RANKS NODE...: node:ranks,node:ranks
host_list() {
    local total=$1 i=0 list='' node
    shift
    for node in "$@"; do
        list+=,$node:$(share_of "$total" $# $i)
        i=$((i + 1))
    done
    printf '%s' "${list#,}"
}
