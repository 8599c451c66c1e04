# needs.sh: whether this machine has what an experiment needs; sourced by run/experiment, which
# sets gpu, gpus, ranks and needs.
# shellcheck shell=bash
# shellcheck disable=SC2154

# shellcheck source=run/nodes.sh
source "$(dirname "${BASH_SOURCE[0]}")/nodes.sh"

has_need() {
    case ",$needs," in
    *",$1,"* | *",$1="*) return 0 ;;
    esac
    return 1
}

# The number of hosts of the need `cluster=HOSTS`; nothing if each rank gets a host of its own.
cluster_hosts() {
    local list=",$needs,"
    [[ $list != *,cluster=* ]] || { list=${list#*,cluster=} && echo "${list%%,*}"; }
}

# How many nodes the experiment is meant for, each with as many ranks as the others.
nodes_wanted() {
    local hosts
    hosts=${DATAMOTION_CLUSTER_HOSTS:-$(cluster_hosts)}
    hosts=${hosts:-$ranks}
    if has_need network && [ "$hosts" -gt "$(node_count)" ]; then
        hosts=$(node_count)
    fi
    echo "$hosts"
}

# Whether real nodes meet the needs `cluster` and `network`: an allocation or a host file with enough of them.
# One with a single rank, the first point of a curve, has one of several nodes, as the others of its curve do.
on_real_nodes() {
    { has_need cluster || has_need network; } && [ "$(node_count)" -ge 2 ] && [ "$(node_count)" -ge "$(nodes_wanted)" ]
}

# counted N NOUN: 1 node, 2 nodes
counted() {
    if [ "$1" -eq 1 ]; then echo "1 $2"; else echo "$1 $2s"; fi
}

is_or_are() {
    if [ "$1" -eq 1 ]; then echo is; else echo are; fi
}

# The number of GPUs: those of the machine, or as many as the software GPU was told to have.
gpu_count() {
    if [ "$gpu" = soft ]; then
        echo "${SOFTGPU_DEVICES:-64}"
    elif command -v nvidia-smi >/dev/null; then
        nvidia-smi -L 2>/dev/null | grep -c '^GPU ' || true
    else
        echo 0
    fi
}

# Where make noted which programs are not built, as a library is not here.
left_out_file() {
    local hidden=${HIDE:-}
    printf '%s/left_out.%s' "$ROOT/build${hidden:+/without-${hidden//,/-}}" "${gpu:-${GPU:-soft}}"
}

# lacking_library PROGRAM: why it is not built, in words; nothing if it is.
lacking_library() {
    local noted libraries
    noted=$(left_out_file)
    [ -r "$noted" ] || return 0
    libraries=$(awk -v program="$1" '$2 == program { for (i = 3; i <= NF; i++) printf "%s%s", (i > 3 ? " " : ""), $i }' "$noted")
    [ -z "$libraries" ] || awk -F'\t' -v names=" $libraries " '
        index(names, " " $1 " ") { what = what (what ? " and " : "") $1 " (" $5 ")"; packages = packages " " $4 }
        END { printf "it needs %s; not found when it was built: install%s, or ./setup --prefix without root\n", what, packages }' \
        "${noted%/*}/libraries.tsv"
}

# Prints the first need that is not met, in words; nothing when all are met.
unmet_need() {
    local count wanted=$gpus
    count=$(gpu_count)
    if has_need p2p && [ "$wanted" -lt 2 ]; then
        wanted=2
    fi
    if has_need cuda && [ "$gpu" != cuda ]; then
        echo "it needs a CUDA GPU, and this is the software GPU (GPU=soft)"
    elif { has_need cuda || [ "$gpu" = cuda ]; } && [ "$wanted" -gt 0 ] && [ "$count" -eq 0 ]; then
        echo "it needs a CUDA GPU, and nvidia-smi -L lists none"
    elif [ "$wanted" -gt "$count" ]; then
        echo "it needs $(counted "$wanted" GPU), and there $(is_or_are "$count") $count"
    elif { has_need mpi || [ "$ranks" -gt 1 ]; } && [ "$(launcher_name)" != srun ] && ! command -v "${MPIRUN:-mpirun}" >/dev/null; then
        echo "it needs MPI, and ${MPIRUN:-mpirun} is not found"
    elif has_need cuda-aware && ! mpi_is_cuda_aware; then
        echo "it needs an MPI that takes GPU pointers, and ompi_info names no CUDA support; make -f rdma/openmpi-cuda.mk builds one (MPI_HOME)"
    elif has_need cluster && ! on_real_nodes; then
        unmet_nodes
    fi
}

# Asks the Open MPI that is used (MPI_HOME), which need not be the one on PATH.
mpi_is_cuda_aware() {
    local info
    info=$(dirname "$(command -v "${MPIRUN:-mpirun}")")/ompi_info
    [ -x "$info" ] && "$info" --parsable --all 2>/dev/null | grep 'mpi_built_with_cuda_support:value:true' >/dev/null
}

# Neither real nodes nor a virtual cluster: what hinders both.
unmet_nodes() {
    local reason wanted allocated
    reason=$(unmet_cluster)
    [ -n "$reason" ] || return 0
    wanted=$(nodes_wanted) allocated=$(node_count)
    [ "$wanted" -ge 2 ] || wanted=2
    echo "it needs $(counted "$wanted" node), and $allocated $(is_or_are "$allocated") allocated (run/submit --nodes, or DATAMOTION_HOSTFILE); else $reason"
}

# What hinders the virtual cluster on this machine, with what to do; nothing if nothing does. Whether the kernel has
# the parts of the network is seen when run/cluster makes one.
unmet_cluster() {
    local tool
    if [ "$(id -u)" -ne 0 ]; then
        echo "it needs the virtual cluster, which only root can start; run it as root, or with sudo"
        return
    fi
    for tool in ip tc unshare flock setpriv; do
        if ! command -v "$tool" >/dev/null; then
            echo "it needs the virtual cluster, and the command $tool is not found; install iproute2 and util-linux"
            return
        fi
    done
    if ! unshare --net --uts --ipc --mount true 2>/dev/null; then
        echo "it needs the virtual cluster, and this kernel or container permits no network namespaces"
    elif [ "$(launcher_name)" = mpich ]; then
        echo "it needs the virtual cluster, which starts ranks by Open MPI's mpirun, and ${MPIRUN:-mpirun} is MPICH's"
    fi
}
