#!/usr/bin/env bats
# Real nodes: a host file or an allocation meets the needs `cluster` and `network`; the launchers place the ranks.
# Launchers are stood in for by a script that notes its arguments and runs the program once.
# shellcheck disable=SC2086,SC2164,SC2030,SC2031
bats_require_minimum_version 1.5.0
load fixtures/run/setup.bash

setup_file() {
    export MAIN=${BATS_TEST_DIRNAME%/tests}
}

setup_tree() {
    local i
    unset SLURM_JOB_ID SLURM_JOB_NODELIST PBS_NODEFILE PBS_JOBID DATAMOTION_HOSTFILE
    for i in "demo_pair${TAB}4${TAB}cluster=2" "demo_one${TAB}4${TAB}mpi" "demo_three${TAB}3${TAB}cluster" "demo_net${TAB}3${TAB}network"; do
        awk -F'\t' -v OFS='\t' -v row="$i" 'BEGIN { split(row, r, "\t") } $1 == "demo_ranks" { $1 = r[1]; $6 = r[2]; $8 = r[3]; print }' \
            alpha/experiments.tsv
    done >rows
    cat rows >>alpha/experiments.tsv
    mkdir bin
    # shellcheck disable=SC2016
    printf '%s\n' '#!/bin/bash' 'case $1 in --version) echo "$SAYS"; exit;; esac' 'echo "$0 $*" >"$NOTE"' 'env >"$NOTE.env"' \
        'while [[ $1 != */bin/fake ]]; do shift; done' '"$@"' >bin/mpirun
    chmod +x bin/mpirun
    cp bin/mpirun bin/srun && cp bin/mpirun bin/flux
    export NOTE=$PWD/note SAYS='mpirun (Open MPI) 4.1' MPIRUN=$PWD/bin/mpirun PATH=$PWD/bin:$PATH
    printf '# two\n%s slots=8\nfar.example slots=8\n' "$(uname -n)" >hosts
}

# launched ID WORDS...: the experiment is measured, and its ranks are started with these words.
launched() {
    local word
    run -0 run/experiment "$1"
    shift
    for word in "$@"; do
        [[ " $(cat $NOTE) " == *" $word "* ]] || { echo "expected $word in: $(cat $NOTE)"; return 1; }
    done
}

@test "a host file places ranks exactly, and the result says so" {
    TAB=$'\t' setup_tree
    export DATAMOTION_HOSTFILE=$PWD/hosts
    launched demo_pair "-np 4" "--host $(uname -n):2,far.example:2" '-x DATAMOTION_NODES'
    launched demo_net "--host $(uname -n):2,far.example:1"
    launched demo_one "--host $(uname -n):4"
    [ "$(wc -l <$NOTE)" -eq 1 ]
    cp hosts three && echo third >>three
    DATAMOTION_HOSTFILE=$PWD/three launched demo_three "--host $(uname -n):1,far.example:1,third:1"
}

@test "between nodes Open MPI is told what works there, and no folder that only this node has" {
    TAB=$'\t' setup_tree
    unset "${!OMPI_MCA_@}" TMPDIR
    launched demo_one
    grep -q '^TMPDIR=/.*/datamotion\.' $NOTE.env
    run ! grep -q '^OMPI_MCA_osc=' $NOTE.env
    export DATAMOTION_HOSTFILE=$PWD/hosts
    launched demo_pair
    grep -q '^OMPI_MCA_osc=sm,ucx$' $NOTE.env
    run ! grep -E '^TMPDIR=|^OMPI_MCA_(orte_tmpdir_base|.*backing_directory)=' $NOTE.env
    TMPDIR=$PWD OMPI_MCA_osc=rdma OMPI_MCA_pml=ucx launched demo_pair
    grep -q "^TMPDIR=$PWD$" $NOTE.env
    grep -q '^OMPI_MCA_osc=rdma$' $NOTE.env && grep -q '^OMPI_MCA_pml=ucx$' $NOTE.env
}

@test "too few nodes and no virtual cluster: waived with what to do" {
    TAB=$'\t' setup_tree
    # shellcheck disable=SC2034
    DATAMOTION_HOSTFILE=$PWD/hosts run -0 bash -c 'ranks=3 gpus=0 needs=cluster gpu=soft; source run/needs.sh
        unmet_cluster() { echo "it needs root"; }; unmet_need'
    [[ $output == "it needs 3 nodes, and 2 are allocated (run/submit --nodes, or DATAMOTION_HOSTFILE); else "* ]]
    # One rank is the first point of a curve over nodes: it has one of several.
    # shellcheck disable=SC2034
    run -0 bash -c 'ranks=1 gpus=0 needs=cluster gpu=soft; source run/needs.sh
        unmet_cluster() { echo "it needs root"; }
        unmet_need; DATAMOTION_HOSTFILE=hosts; unmet_need; sed /far/d hosts >one; DATAMOTION_HOSTFILE=one; unmet_need'
    [ ${#lines[@]} -eq 2 ]
    [[ ${lines[0]} == "it needs 2 nodes, and 0 are allocated ("* && ${lines[1]} == "it needs 2 nodes, and 1 is allocated ("* ]]
}

@test "other launchers: srun, MPICH's mpiexec, flux" {
    TAB=$'\t' setup_tree
    export DATAMOTION_HOSTFILE=$PWD/hosts
    SAYS='HYDRA build details' launched demo_pair "-n 4" -genvall "-hosts $(uname -n):2,far.example:2"
    DATAMOTION_LAUNCHER=srun launched demo_pair --ntasks=4 --nodes=2 --ntasks-per-node=2 "--nodelist=$(uname -n),far.example"
    DATAMOTION_LAUNCHER=srun launched demo_one --ntasks=4 --nodes=1 "--nodelist=$(uname -n)"
    DATAMOTION_LAUNCHER=flux launched demo_pair "run -n 4 -N 2"
    DATAMOTION_LAUNCHER=rocket fails_with "unknown launcher 'rocket'; there are: flux mpich openmpi srun" run/experiment demo_pair
}

@test "the nodes of PBS and Slurm" {
    TAB=$'\t' setup_tree
    printf 'a\na\nb\nb\n' >pbs
    PBS_NODEFILE=$PWD/pbs PBS_JOBID=7.s launched demo_pair '--host a:2,b:2'
    # shellcheck disable=SC2016
    printf '%s\n' '#!/bin/sh' '[ "$3" = "n[1-2]" ] && printf "n1\nn2\n"' >bin/scontrol && chmod +x bin/scontrol
    SLURM_JOB_ID=5 SLURM_JOB_NODELIST='n[1-2]' SLURMD_NODENAME=n2 launched demo_pair '--host n2:2,n1:2'
}
