# rdma_copies: what it counts and refuses; the recipe for an MPI that takes GPU pointers.

load helper

setup() {
    [ "${GPU:-soft}" != soft ] || export SOFTGPU_DEVICES=2
}

# count MPI_OPTIONS OPTIONS...: runs the program on two ranks with these options of mpirun.
count() {
    need_program rdma_copies
    # shellcheck disable=SC2086
    ranks 2 $1 "$bin/rdma_copies" --csv "${@:2}"
    [[ $stderr != *"is not seen"* ]] || skip "a sanitizer counts no copies"
}

# The columns sender_copies, receiver_copies and copies of variant $1 and pair $2 are about $3, $4 and $5: messages of the
# protocol, and the first part of a block, may go another way.
copies() {
    local row name
    row=$(for name in sender_copies receiver_copies copies; do column $name "$1" pair "$2"; done | paste -sd ' ')
    echo "$1, $2: $row"
    awk -v a="$3" -v b="$4" -v c="$5" 'function near(x, y) { return x >= y && x < y + 0.1 }
        { exit !(NF == 3 && near($1, a) && near($2, b) && near($3, c)) }' <<<"$row"
}

@test "through the network a block is copied three times per node, page-locked twice" {
    count "--mca pml ob1 --mca btl tcp,self" --variants staged-pageable,staged,pipelined
    [ "$status" -eq 0 ]
    copies staged-pageable "D D" 3 3 6
    copies staged "D D" 2 2 4
    copies pipelined "D D" 2 2 4
    copies staged-pageable "H D" 1 3 4
    copies staged "D P" 2 1 3
}

@test "a copy from process to process is one of the system, through a shared buffer it is two of the CPU" {
    need_program rdma_copies
    "${MPIRUN:-mpirun}" --version | grep -q 'Open MPI) 4' || skip "the component vader is of Open MPI 4"
    count "--mca pml ob1 --mca btl vader,self --mca btl_vader_single_copy_mechanism none" --roles peers --variants staged
    [ "$status" -eq 0 ]
    copies staged "D D" 2 2 4
    [ "$(column cpu_copies staged pair "D D")" = 2 ]
    [ "$(column system_copies staged pair "D D")" = 0 ]
    count "--mca pml ob1 --mca btl vader,self --mca btl_vader_single_copy_mechanism cma" --roles peers --variants staged
    [ "$status" -eq 0 ]
    [ "$(column cpu_copies staged pair "D D")" != 2 ] || skip "this system permits no copies from process to process"
    copies staged "D D" 1 2 3
    [ "$(column system_copies staged pair "D D")" = 1 ]
}

@test "between GPUs of one host peers copy a block once, and shared memory twice" {
    count "" --variants pipelined-shared,peer-copy,peer-store --sizes 1M,5000001
    [ "$status" -eq 0 ]
    for variant in peer-copy peer-store; do
        [ "$(column copies $variant pair "D D")" = $'1\n1' ]
        [ "$(column sender_copies $variant pair "D D")" = $'1\n1' ]
        [ "$(column copies $variant pair "P D")" = $'1\n1' ]
        [ "$(column sender_copies $variant pair "P D")" = $'0\n0' ]
        [ -z "$(column copies $variant pair "H D")" ]
    done
    [ "$(column engine_copies peer-copy pair "D D")" = $'1\n1' ]
    [ "$(column kernel_copies peer-store pair "D D")" = $'1\n1' ]
    [ "$(column engine_copies pipelined-shared pair "D D")" = $'2\n2' ]
    [ "$(column errors peer-copy pair "D D")" = $'0\n0' ]
    [ "$(column nodes peer-copy pair "D D")" = $'1\n1' ]
}

@test "the software GPU has no MPI that takes its pointers, and no NCCL, and says so" {
    [ "${GPU:-soft}" = soft ] || skip "needs the software GPU"
    count "" --variants cuda-aware
    [ "$status" -eq 2 ]
    [[ $stderr == *"cuda-aware is waived: "*"GPU=cuda"* ]]
    [ "$(grep -c 'cuda-aware is waived' <<<"$stderr")" -eq 1 ]
    ranks 2 "$bin/rdma_pingpong" --variants nccl --sizes 8 -n 1 -w 0
    [ "$status" -eq 2 ]
    [[ $stderr == *"nccl is waived: "*"GPU=cuda"* ]]
}

@test "bad options end with exit 1 and one sentence" {
    need_program rdma_copies
    refuses_all <<'TABLE'
rdma_copies||start it with mpirun -np 2
rdma_copies|--roles clients|unknown role 'clients'; choose from peers, server
rdma_copies|--roles=|has an empty entry
rdma_copies|--variants nccl|nccl
rdma_copies|--wait-limit 0|out of range
TABLE
}

@test "the recipe for another MPI names what is missing" {
    mkdir -p "$scratch/cuda/include"
    touch "$scratch/cuda/include/cuda.h"
    while IFS='|' read -r settings expected; do
        # shellcheck disable=SC2086
        run make -f rdma/openmpi-cuda.mk OPENMPI="$scratch/mpi" $settings
        echo "$output"
        [ "$status" -ne 0 ]
        [[ $output == *"openmpi-cuda.mk: "*"$expected"* ]]
        [ ! -e "$scratch/mpi" ]
    done <<TABLE
CUDA_HOME=/nonexistent|set CUDA_HOME
CUDA_HOME=$scratch/cuda TARBALL=missing.tar|no file
CUDA_HOME=$scratch/cuda TARBALL=rdma/Makefile|cannot be unpacked
TABLE
}

# A source that configures and builds in no time; its ompi_info says $1 of CUDA.
pretend_source() {
    mkdir -p "$scratch/cuda/include" "$scratch/openmpi-4.1.0"
    touch "$scratch/cuda/include/cuda.h"
    cat >"$scratch/openmpi-4.1.0/configure" <<'CONFIGURE'
#!/bin/sh
mkdir -p opal/include && echo "#define OPAL_CUDA_SUPPORT 1" >opal/include/opal_config.h
prefix=$(printf '%s\n' "$@" | sed -n 's/^--prefix=//p')
cat >Makefile <<END
all:
	@for i in \$\$(seq 600); do echo "  CC       file.lo"; done
install:
	mkdir -p $prefix/bin $prefix/etc
	touch $prefix/bin/mpicc $prefix/bin/mpifort
	printf '#!/bin/sh\necho mca:mpi:base:param:mpi_built_with_cuda_support:value:ANSWER\n' >$prefix/bin/ompi_info
	chmod +x $prefix/bin/*
END
CONFIGURE
    sed -i "s/ANSWER/$1/" "$scratch/openmpi-4.1.0/configure"
    chmod +x "$scratch/openmpi-4.1.0/configure"
    tar -c -f "$scratch/source.tar" -C "$scratch" openmpi-4.1.0
}

@test "the recipe installs what takes GPU pointers, and nothing else" {
    pretend_source true
    run make -f rdma/openmpi-cuda.mk OPENMPI="$scratch/mpi" CUDA_HOME="$scratch/cuda" TARBALL="$scratch/source.tar"
    echo "$output"
    [ "$status" -eq 0 ]
    [[ $output == *"CONFIGURE"*"COMPILE"*"500 files"*"INSTALL"*"READY     make MPI_HOME=$scratch/mpi"* ]]
    [ -x "$scratch/mpi/bin/mpicc" ]
    [ ! -e "$scratch/mpi/bin/mpifort" ]
    [ ! -e "$scratch/mpi.build" ]
    grep -q opal_warn_on_missing_libcuda "$scratch/mpi/etc/openmpi-mca-params.conf"

    rm -rf "$scratch/mpi"
    pretend_source false
    run make -f rdma/openmpi-cuda.mk OPENMPI="$scratch/mpi" CUDA_HOME="$scratch/cuda" TARBALL="$scratch/source.tar"
    echo "$output"
    [ "$status" -ne 0 ]
    [[ $output == *"what was built does not take GPU pointers"* ]]
    [ ! -e "$scratch/mpi/bin/mpicc" ]
}

@test "the suite asks the MPI that it uses whether it takes GPU pointers" {
    mkdir -p "$scratch/bin"
    printf '#!/bin/sh\n' >"$scratch/bin/mpirun"
    printf '#!/bin/sh\necho mca:mpi:base:param:mpi_built_with_cuda_support:value:%s\n' true >"$scratch/bin/ompi_info"
    chmod +x "$scratch/bin/mpirun" "$scratch/bin/ompi_info"
    run bash -c 'set -euo pipefail; source run/needs.sh; MPIRUN=$1; mpi_is_cuda_aware' - "$scratch/bin/mpirun"
    [ "$status" -eq 0 ]
    sed -i s/true/false/ "$scratch/bin/ompi_info"
    run bash -c 'set -euo pipefail; source run/needs.sh; MPIRUN=$1; mpi_is_cuda_aware' - "$scratch/bin/mpirun"
    [ "$status" -ne 0 ]
    run bash -c 'set -euo pipefail; source run/needs.sh; MPIRUN=$1; mpi_is_cuda_aware' - "$scratch/no/mpirun"
    [ "$status" -ne 0 ]
}
