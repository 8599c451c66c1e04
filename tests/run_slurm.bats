#!/usr/bin/env bats
# Batch jobs in a real Slurm, of this test's own: two at once, one that fails, one that reaches its time limit, one that is killed.
# shellcheck disable=SC2086,SC2164,SC2030,SC2031
bats_require_minimum_version 1.5.0
load fixtures/run/setup.bash
load fixtures/run/slurm.bash

setup_file() {
    export MAIN=${BATS_TEST_DIRNAME%/tests}
    [ -z "$(unmet_slurm)" ] || return 0
    start_slurm "$BATS_FILE_TMPDIR/slurm"
    export slurm_folder
}

teardown_file() {
    [ -z "${slurm_folder:-}" ] || stop_slurm
    [ -z "${slurm_folder:-}" ] || wait_for 10 "! [ -e $slurm_folder/slurmctld.pid ]"
}

# The tree with what make needs; there are no directories to build.
job_tree() {
    local reason
    reason=$(unmet_slurm)
    [ -z "$reason" ] || skip "$reason"
    mkdir -p common
    cp "$MAIN/Makefile" "$MAIN/config.mk" . && cp "$MAIN"/common/*.mk common/ && cp -r "$MAIN/setup.d" .
    export SITE_EXCLUSIVE=no GPU=soft
}

# submit WORDS...: the folder of the job.
submit() {
    run/submit --slurm "$@" | sed -n 's/.*: \(results[^;]*\);.*/\1/p'
}

# ends FOLDER: the job's state when it has ended.
ends() {
    wait_for 150 "! grep -qE '^(submitted|running)' $1/state" || { cat $1/*.log; return 1; }
    cat $1/state
}

@test "two jobs at once: each in its folder, both merged; the folder of results is make's" {
    job_tree
    first=$(submit demo_copy)
    second=$(submit demo_slow)
    [ -d "$first" ] && [ -d "$second" ]
    [[ $(ends $first) == "done; 1 results merged into results/local" ]] || { cat $first/*; false; }
    [[ $(ends $second) == "done; 1 "* ]]
    [ -s $R/demo_copy.csv ] && [ -s $R/demo_slow.json ]
    grep -q '^\[1/1\] demo_copy' $first/*.log
    run -0 run/submit --status
    [[ $output == *"demo_copy_1x0_smoke"*"1 of 1 experiments  done"* ]]
    # What is there is not measured again, here or in another job.
    third=$(submit demo_copy)
    [[ $(ends $third) == "done; 0 "* ]]
    run -0 make GPU=soft SCALE=smoke demo_copy
    [[ $output != *'[1/1] demo_copy'* ]]
}

@test "a job goes on after an experiment that fails, and counts over all of them" {
    job_tree
    job=$(submit demo_pending demo_copy demo_waived)
    [[ $(ends $job) == "failed (see the log); 2 "* ]] || { cat $job/*.log; false; }
    grep -q '^\[3/3\] demo_pending' $job/*.log || grep -q '^\[./3\] demo_pending' $job/*.log
    [ -s $R/demo_copy.csv ] && [ ! -e $R/demo_pending.csv ]
    grep -q WAIVED $R/demo_waived.json
}

@test "a job at its time limit keeps what was measured, and the next one goes on" {
    job_tree
    # At this scale demo_pending hangs. Slurm may send the signal a minute too early.
    job=$(SITE_GRACE_S=45 submit --scale small --time 0:02:00 demo_copy demo_pending)
    [[ $(ends $job) == "stopped (time limit or cancelled); 1 "* ]] || { cat $job/*.log; false; }
    [ -s $R/demo_copy.csv ] && [ ! -e $R/demo_pending.csv ]
    wait_for 20 "! squeue -h | grep -q ."
    [ -z "$(pgrep -f "$PWD/build/soft/bin/fake" || true)" ]
    job=$(submit --scale small demo_copy demo_slow)
    [[ $(ends $job) == *"0 results merged"* || $(ends $job) == *"; "* ]]
    run ! grep -q "\] demo_copy" $job/*.log
}

@test "what a killed job left is merged when its state is asked for" {
    job_tree
    job=$(submit --scale small demo_copy demo_pending)
    wait_for 60 "[ -s $job/results/demo_copy.json ] && grep -q demo_pending $job/*.log"
    # The folder's name is in the arguments of all that the job started; scancel would send a TERM first.
    pgrep -f "${job##*/}" | xargs kill -KILL
    wait_for 60 "! squeue -h -j $(cat $job/jobid) | grep -q ."
    run -0 run/submit --status
    echo "$output"
    [[ $output == *"1 of 2 experiments  ended without a word; 1 results merged now"* ]]
    [ -s $R/demo_copy.csv ]
}

@test "an array is a job per experiment" {
    job_tree
    job=$(submit --array demo_copy demo_slow)
    wait_for 60 "[ -s $R/demo_copy.csv ] && [ -s $R/demo_slow.csv ]" || { cat $job/*.log; false; }
    [ -d $job/results-0 ] && [ -d $job/results-1 ]
}

@test "a job of two nodes places an experiment between nodes on both, and one of a single node on the first" {
    job_tree
    for row in "demo_pair cluster=2" "demo_single mpi"; do
        # shellcheck disable=SC2016
        awk -F'\t' -v OFS='\t' -v row="$row" 'BEGIN { split(row, r, " ") } $1 == "demo_ranks" { $1 = r[1]; $6 = 4; $8 = r[2]; print }' \
            alpha/experiments.tsv
    done >rows
    cat rows >>alpha/experiments.tsv
    # Rank 0 is the program; every rank says where it is.
    mv build/soft/bin/fake build/soft/bin/real
    # shellcheck disable=SC2016
    printf '%s\n' '#!/bin/bash' 'while [[ ${args[-1]:-} != --experiment ]]; do args+=("$1"); shift; done' \
        'echo "$SLURM_PROCID $SLURMD_NODENAME $SLURM_LOCALID" >>'"$PWD"'/places-$1' '[ "$SLURM_PROCID" = 0 ] || exit 0' \
        'exec "${0%/*}/real" "${args[@]}" "$@"' >build/soft/bin/fake
    chmod +x build/soft/bin/fake
    export DATAMOTION_LAUNCHER=srun DATAMOTION_SRUN_MPI=none
    job=$(submit --nodes 2 demo_pair demo_single)
    [[ $(ends $job) == "done; 2 "* ]] || { cat $job/*.log $job/results/*.log; false; }
    [ "$(sort places-demo_pair | paste -sd ,)" = "0 one 0,1 one 1,2 two 0,3 two 1" ]
    [ "$(sort places-demo_single | paste -sd ,)" = "0 one 0,1 one 1,2 one 2,3 one 3" ]
}

@test "ranks under srun know one another by PMIx" {
    local reason program=${UNIT_TEST_FOLDER:-$MAIN/build/soft/test}/ranks_test
    reason=$(unmet_slurm)
    [ -z "$reason" ] || skip "$reason"
    [ -x "$program" ] || skip "ranks_test was not built here"
    srun --mpi=list 2>&1 | grep -q pmix || skip "this Slurm has no PMIx plugin"
    cd /
    run srun --mpi=pmix --nodes=1 --ntasks=2 --overcommit "$program"
    [[ $output == *"ok ranks of 2"* ]]
}
