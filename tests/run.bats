#!/usr/bin/env bats
# The tools of run/ that plan and run experiments: manifest, experiment, submit, record.
# shellcheck disable=SC2086,SC2164,SC2010,SC2012,SC2143,SC2016,SC2059
# The paths here have no blanks, and bats stops at a failed command.
bats_require_minimum_version 1.5.0
load fixtures/run/setup.bash
load recorded

@test "every tool explains itself with -h and refuses what it does not know" {
    for tool in manifest experiment collect sql check regress report submit record verify; do
        run -0 run/$tool --help
        says "Usage: run/$tool"
        run -0 run/$tool -h
        run -1 run/$tool
        run -1 run/$tool --nonsense
        says "run/$tool"
    done
    fails_with 'unknown option' run/submit --nonsense
    fails_with 'needs a value' run/experiment --scale
    fails_with "unknown scale 'huge'" run/experiment --scale huge demo_copy
    fails_with "unknown GPU 'tpu'" run/experiment --gpu tpu demo_copy
    fails_with "unknown experiment 'nono'" run/experiment nono
    fails_with 'no results directory' run/collect nono
}

@test "a tool that is not built says how to build it" {
    mkdir -p $R
    TOOLS=/nonexistent fails_with 'is not built; run: make' run/collect $R
    measure demo_copy
    run/collect $R
    TOOLS=/nonexistent fails_with 'is not built; run: make' run/sql $R/results.db 'SELECT 1'
    rm build/soft/bin/fake
    fails_with 'is not built; run: make GPU=soft' run/experiment demo_copy
}

@test "manifest: list, ids, show, figures, readme" {
    run -0 run/manifest check
    [ -z "$output" ]
    run -0 run/manifest list --scale full
    says '6 experiments, about 30.0 minutes at scale full'
    run -0 run/manifest list --csv
    [ "${lines[0]}" = 'id,dir,program,minutes_smoke,ranks,gpus,needs,figures' ]
    [ "${lines[1]}" = 'demo_copy,alpha,fake,0.1,1,1,-,"demo-fig-1-1,demo-tab-1-1"' ]
    [ "$(run/manifest ids | wc -l)" -eq 6 ]
    [ "$(run/manifest ids alpha | tail -n 1)" = demo_ranks ]
    [ -z "$(run/manifest ids beta)" ]
    [ "$(run/manifest show demo_copy minutes)" = 0.1/1/5 ]
    [ "$(run/manifest show demo_copy tolerance)" = -0.2/0.1 ]
    [ "$(run/manifest show demo_ranks ranks)" = 3 ]
    fails_with "unknown field 'colour'" run/manifest show demo_copy colour
    fails_with "unknown experiment 'nono'" run/manifest show nono id
    [ "$(run/manifest figures | paste -sd ' ')" = 'demo-fig-1-1 demo-fig-1-2 demo-fig-1-3 demo-tab-1-1' ]
    run -0 run/manifest readme
    [ "${#lines[@]}" -eq 8 ]
}

@test "manifest: each wrong row is named with file and line" {
    local good=alpha/experiments.tsv bad=bad/experiments.tsv
    mkdir bad
    while IFS='|' read -r change message; do
        awk -F'\t' -v OFS='\t' "$change" $good >$bad
        run -1 run/manifest check $bad
        says "$message"
    done <<'CASES'
NR == 3 { $1 = "Demo" } 1|experiments.tsv:3: id 'Demo' must be snake_case
NR == 3 { $1 = "check" } 1|experiments.tsv:3: id 'check' is the name of a make target
NR == 4 { $1 = "demo_copy" } 1|experiments.tsv:4: id 'demo_copy' is already at bad/experiments.tsv:3
NR == 3 { $1 = "x_median" } 1|experiments.tsv:3: id 'x_median' must be snake_case
NR == 3 { $2 = "a b" } 1|experiments.tsv:3: program 'a b'
NR == 5 { NF = 10 } 1|experiments.tsv:5: a row has 11 columns between tabs, this one has 10
NR == 5 { $4 = "" } 1|experiments.tsv:5: column small is empty
NR == 3 { $6 = 0 } 1|experiments.tsv:3: ranks '0'
NR == 3 { $7 = "two" } 1|experiments.tsv:3: gpus 'two'
NR == 3 { $8 = "magic" } 1|experiments.tsv:3: unknown need 'magic'
NR == 3 { $9 = "1/2" } 1|experiments.tsv:3: minutes '1/2'
NR == 3 { $9 = "1/2/x" } 1|experiments.tsv:3: minutes 'x'
NR == 3 { $10 = "demo-fig-9-9" } 1|experiments.tsv:3: unknown figure 'demo-fig-9-9'
NR == 3 { $11 = "0.1/0.2" } 1|experiments.tsv:3: tolerance '0.1/0.2'
NR == 3 { $5 = "--of @nono" } 1|experiments.tsv:3: demo_copy reads the results of 'nono', which is not another experiment
NR == 3 { $5 = "@demo_copy" } 1|experiments.tsv:3: demo_copy reads the results of 'demo_copy'
NR == 1 { $1 = "name" } 1|experiments.tsv:1: the header must be
NR == 3 { $0 = $0 "\r" } 1|experiments.tsv:3: line ends with a carriage return
CASES
    fails_with 'cannot read the manifest nono.tsv' run/manifest check nono.tsv
    cp $bad beta.tsv
    mkdir beta && mv beta.tsv beta/experiments.tsv
    fails_with 'experiments.tsv:3' run/collect .
}

@test "manifest make: figure depends on CSV depends on program, in a real make" {
    run/manifest make >rules.mk
    mkdir -p $R/figures
    printf '#!/bin/sh\necho drawn >"$1/figures/$2.svg"\n' >plots/draw
    chmod +x plots/draw
    touch plots/style.gp $R/.settings
    printf 'RESULTS := results/local\nBIN := build/soft/bin\nMEASURE ?= 1\ninclude rules.mk\n' >Makefile
    [ "$(make -pn | sed -n 's/^FIGURE_FILES := //p')" = 'results/local/figures/demo-fig-1-1.svg' ]
    [ "$(make -pn | sed -n 's/^TABLE_FILES := //p')" = 'results/local/tables/demo-tab-1-1.txt' ]
    run -0 make demo-fig-1-1
    [ -s $R/demo_copy.csv ]
    [ "$(cat $R/figures/demo-fig-1-1.svg)" = drawn ]
    run -0 make demo-fig-1-1
    says 'Nothing to be done'
    touch build/soft/bin/fake
    run -0 make demo-fig-1-1
    says 'run/experiment demo_copy'
    run -0 make demo-fig-1-2
    [ -s $R/demo_cuda.csv ]
    rm -r $R/demo_copy.csv $R/figures/*
    run -0 make MEASURE= demo-fig-1-1
    [ ! -e $R/demo_copy.csv ]
    run -0 make MEASURE= demo_copy
    says 'is a recorded machine'
}

@test "experiment: leaves CSV, JSON and log, says where it stands" {
    printf 'demo_waived\ndemo_copy\ndemo_slow\n' >plan
    mkdir -p $R
    printf 'demo_slow\tsmoke\tsoft\t90.0\ndemo_copy\tsmoke\tsoft\t100.0\ndemo_copy\tfull\tsoft\t5\n' >$R/.durations
    DATAMOTION_PLAN=plan run -0 run/experiment demo_copy
    [ "$output" = '[2/3] demo_copy  3m10s left' ]
    [ "$(wc -l <$R/demo_copy.csv)" -eq 15 ]
    jq -e '.meta.experiment == "demo_copy"' $R/demo_copy.json
    grep -q 'RESULT: PASS' $R/demo_copy.log
    [ "$(ls -A $R | paste -sd ' ')" = '.durations .measuring demo_copy.csv demo_copy.json demo_copy.log' ]
    grep -q "demo_copy${TAB:=$'\t'}full" $R/.durations
    [ "$(grep -c "^demo_copy${TAB}smoke" $R/.durations)" -eq 1 ]
    run -0 run/experiment --results other --scale smoke --gpu soft demo_slow
    [ "$output" = '[1/1] demo_slow  0m06s left' ]
    [ -s other/demo_slow.csv ]
}

@test "experiment: what the machine lacks is waived with the reason" {
    run -0 run/experiment demo_cuda
    [ "$output" = '[1/1] demo_cuda  waived: it needs a CUDA GPU, and this is the software GPU (GPU=soft)' ]
    run -0 env PATH="/usr/bin:/bin" GPU=cuda run/experiment demo_copy
    says 'waived: it needs a CUDA GPU, and nvidia-smi -L lists none'
    run -0 env SOFTGPU_DEVICES=0 run/experiment demo_waived
    says 'waived: it needs 1 GPU, and there are 0'
    run -0 run/experiment demo_waived
    says 'waived: no "fast" memory here'
    run -0 env MPIRUN=/nonexistent/mpirun run/experiment demo_ranks
    says 'waived: it needs MPI'
    for id in demo_cuda demo_copy demo_waived; do
        [ "$(tail -n 1 $R/$id.csv | grep -c ',waived$')" -eq 1 ]
        jq -e '.status == "WAIVED" and (.reason | length > 5)' $R/$id.json
    done
    run/collect $R
    [ "$(query "SELECT reason FROM experiments WHERE id = 'demo_waived'")" = 'no "fast" memory here' ]
}

@test "experiment: one that reads the results of another gets its file, after it" {
    {
        printf 'demo_reader\tfake\t--of @demo_copy --times a:8:1e-3\t-\t-\t1\t0\t-\t0.1/1/5\t-\t-0.2/0.1\n'
        printf 'demo_reader_of_waived\tfake\t--of @demo_waived --times a:8:1e-3\t-\t-\t1\t0\t-\t0.1/1/5\t-\t-0.2/0.1\n'
    } >>alpha/experiments.tsv
    run/manifest make >rules.mk
    grep -q '^$(RESULTS)/demo_reader.csv: .* $(RESULTS)/demo_copy.csv$' rules.mk
    fails_with 'demo_reader reads the results of demo_copy, which are not in' run/experiment demo_reader
    measure demo_copy demo_waived
    run -0 run/experiment demo_reader
    grep -q -- "--of .*/$R/demo_copy.csv --times" $R/demo_reader.log
    gzip $R/demo_copy.csv
    run -0 run/experiment demo_reader
    grep -q -- "--of .*/$R/demo_copy.csv.gz --times" $R/demo_reader.log
    run -0 run/experiment demo_reader_of_waived
    says 'waived: it reads the results of demo_waived, which was waived'
}

@test "experiment: ranks are started by mpirun" {
    command -v mpirun >/dev/null || skip 'mpirun is not installed'
    run -0 run/experiment demo_ranks
    [ -s $R/demo_ranks.csv ]
    grep -q 'np 3' $R/demo_ranks.log
}

@test "experiment: several starts of the program are one result, which tells them apart" {
    run -0 run/experiment --starts 3 demo_copy
    [ "$output" = '[1/1] demo_copy  0m06s left' ]
    [ "$(head -n 1 $R/demo_copy.csv)" = 'experiment,variant,gpu,host,rank,ranks,gpus,rep,start,size_bytes,bandwidth_gbs,time_s,errors,status' ]
    [ "$(awk -F, 'NR > 1 { rows[$9]++ } END { print rows[0], rows[1], rows[2] }' $R/demo_copy.csv)" = '14 14 14' ]
    [ "$(grep -c '^# host' $R/demo_copy.log)" -eq 3 ]
    jq -e '.status == "PASS" and .meta.experiment == "demo_copy" and (.starts | length) == 3 and .starts[2].end_utc != null' $R/demo_copy.json
    [ "$(ls -A $R | paste -sd ' ')" = '.durations .measuring demo_copy.csv demo_copy.json demo_copy.log' ]
    run -0 run/collect $R
    [ "$(query "SELECT variant, n, starts, starts_differ FROM demo_copy_median")" = $'slow 21 3 0\nfast 21 3 0' ]
    [ "$(query "SELECT count(DISTINCT rep), max(rep) FROM demo_copy WHERE variant = 'fast'")" = '21 2000000006' ]
    # Cells with commas, quotes and ends of lines stay what they are.
    printf 'a,b,c,"host, ""1""\nx",0,1,1,rep,p\n1,2,3,"h,",0,1,1,7,"q\nr"\n' >cells
    source run/starts.sh
    [ "$(start_rows cells 0)" = $'a,b,c,"host, ""1""\nx",0,1,1,rep,start,p\n1,2,3,"h,",0,1,1,7,0,"q\nr"' ]
    [ "$(start_rows cells 5)" = $'1,2,3,"h,",0,1,1,7,5,"q\nr"' ]
    for starts in 0 x 100 -1 ''; do
        fails_with '--starts takes a number from 1 to 99' run/experiment --starts "$starts" demo_copy
    done
    STARTS=2 run -0 run/experiment demo_slow
    [ "$(wc -l <$R/demo_slow.csv)" -eq 3 ]
    commit_tree
    STARTS=2 run -0 run/experiment demo_copy
    STARTS=2 run -0 run/experiment demo_slow
    run -0 run/verify $R
}

@test "experiment: a start that fails leaves the older result, one that is cut short what was complete" {
    measure demo_slow
    cp $R/demo_slow.csv first
    mv build/soft/bin/fake build/soft/bin/real
    printf '#!/bin/bash\n[ -e "$SEEN" ] && set -- $SECOND "$@"; : >"$SEEN"; exec "${0%%/*}/real" "$@"\n' >build/soft/bin/fake
    chmod +x build/soft/bin/fake
    export SEEN=$PWD/seen STARTS=4
    SECOND=--fail fails_with 'it ended with code 1 (FAIL wrong sum in row 3)' run/experiment demo_slow
    cmp first $R/demo_slow.csv
    rm -f seen $R/demo_slow.*
    SECOND=--timeout run -0 run/experiment demo_slow
    says 'incomplete: its time limit'
    [ "$(wc -l <$R/demo_slow.csv)" -eq 3 ] # the header, and a row of each of two starts
    jq -e '.status == "TIMEOUT" and (.starts | length) == 2' $R/demo_slow.json
    rm seen
    SECOND=--timeout run -0 run/experiment demo_slow # it is known to be incomplete
    run -0 run/collect $R
    # A program that waives is started once.
    rm seen
    run -0 run/experiment demo_waived
    [ "$(jq -r .status $R/demo_waived.json)" = WAIVED ]
}

@test "experiment: a failure leaves no CSV and says how to redo it" {
    fails_with 'it ended with code 1 (FAIL wrong sum in row 3)' run/experiment demo_pending
    says 'Again: make -B demo_pending SCALE=smoke'
    fails_with 'it was killed by signal 9' run/experiment --scale full demo_pending
    fails_with 'wrote no JSON' run/experiment --scale small demo_slow
    DATAMOTION_LIMIT_S=1 fails_with 'reached its time limit of 1 s' run/experiment --scale small demo_pending
    [ -z "$(ls $R/*.csv $R/*.json 2>/dev/null)" ]
    [ "$(ls -A $R | grep -c '^\.demo')" -eq 0 ]
}

@test "experiment: what was complete at the time limit is kept, unless there is a complete older result" {
    run -0 run/experiment --scale full demo_slow
    says 'incomplete: its time limit of 1500 s was reached'
    grep -q TIMEOUT $R/demo_slow.json
    [ "$(grep -c ,pass $R/demo_slow.csv)" -eq 1 ]
    run -0 run/experiment --scale full demo_slow
    measure demo_slow
    fails_with 'the older result is complete and was kept' run/experiment --scale full demo_slow
    grep -q '"status": "PASS"' $R/demo_slow.json
    run -0 run/collect $R
}

@test "experiment: a failed second measurement keeps the first" {
    measure demo_slow
    cp $R/demo_slow.csv first
    run -1 run/experiment --scale small demo_slow
    cmp first $R/demo_slow.csv
}

@test "experiment: TERM reaches the program and ends quickly" {
    run/experiment --scale small demo_pending 2>talk.txt 3>&- &
    local pid=$! program=''
    for _ in {1..600}; do
        program=$(pgrep -f "$PWD/build/soft/bin/fake") && break
        sleep 0.05
    done
    [ -n "$program" ]
    sleep 0.2
    kill -TERM $pid
    local code=0
    wait $pid || code=$?
    [ "$code" -eq 1 ]
    grep -q 'was interrupted' talk.txt
    run pgrep -f "$PWD/build/soft/bin/fake"
    [ -z "$output" ]
    [ "$(ls -A $R | grep -c '^\.demo')" -eq 0 ]
}

@test "experiment: kill -9 takes the program along" {
    command -v setpriv >/dev/null || skip 'setpriv is not installed'
    run/experiment --scale small demo_pending 2>talk.txt 3>&- &
    local pid=$!
    for _ in {1..600}; do
        pgrep -f "$PWD/build/soft/bin/fake" >/dev/null && break
        sleep 0.05
    done
    sleep 0.2
    kill -9 $pid
    for _ in {1..600}; do
        pgrep -f "$PWD/build/soft/bin/fake" >/dev/null || break
        sleep 0.05
    done
    run -1 pgrep -f "$PWD/build/soft/bin/fake"
}

@test "experiment: only one measures at a time" {
    mkdir -p $R
    exec 8>>$R/.measuring
    flock -n 8
    fails_with 'another run/experiment measures into' run/experiment demo_copy
    exec 8>&-
    run -0 run/experiment demo_copy
}

@test "a place that cannot be written is an error in a sentence" {
    fails_with 'cannot make the results directory' run/experiment --results /dev/null/x demo_copy
    fails_with 'cannot write' run/experiment --results /proc/sys demo_copy
    fails_with 'cannot write into the results directory' run/collect /proc/sys
    measure demo_copy
    mkdir $R/verdicts.csv
    fails_with 'verdicts.csv: cannot be written' run/check $R
    rmdir $R/verdicts.csv
    mkdir -p $R/report.html/x
    fails_with 'report.html: cannot be written' run/report $R
    cp $R/demo_copy.csv other.csv
    fails_with 'cannot write /dev/full' run/regress --csv /dev/full $R $R
}

@test "a full disk is an error and keeps what was there" {
    mkdir full
    mount -t tmpfs -o size=256k tmpfs full 2>/dev/null || skip 'needs root to mount a small tmpfs'
    measure demo_slow demo_copy
    cp $R/demo_slow.* full/
    dd if=/dev/zero of=full/filler bs=4k 2>/dev/null || true
    run run/experiment --results full demo_copy
    local copy_status=$status copy_output=$output
    run run/experiment --results full demo_cuda
    local waived_status=$status
    run run/collect full
    local collect_status=$status collect_output=$output
    local left
    left=$(ls -A full | paste -sd ' ')
    umount full
    [ "$copy_status" -eq 1 ] && [ "$waived_status" -eq 1 ] && [ "$collect_status" -eq 1 ]
    [[ $copy_output == *'No space left'* || $copy_output == *'cannot write'* ]]
    [[ $collect_output != *Sanitizer* ]]
    [[ $left != *results.db* && $left != *demo_copy.csv* && $left == *demo_slow.csv* ]]
}

@test "submit: one script for Slurm and PBS from the manifest" {
    run -0 run/submit --slurm --print --partition gpu --account acc --scale full alpha
    says '#SBATCH --job-name=alpha_1x1_full'
    says '#SBATCH --time=00:55:00'
    says '#SBATCH --gpus-per-node=1'
    says '#SBATCH --partition=gpu'
    says '#SBATCH --signal=B:TERM@60'
    says 'run/job --gpu cuda --scale full --results results/local --folder results/local/jobs/alpha_1x1_full-'
    says ' demo_copy demo_waived'
    bash -n <<<"$output"
    run -0 run/submit --pbs --print --nodes 2 --gpus 4 --time 1:00:00 --scale small demo_copy demo_slow
    says '#PBS -N demo_copy_and_1_more_2x4_small'
    says '#PBS -l select=2:mpiprocs=1:ngpus=4'
    says '#PBS -l walltime=1:00:00'
    bash -n <<<"$output"
    GPU=soft run -0 run/submit --slurm --dry-run --array demo_copy demo_slow
    says '#SBATCH --array=0-1'
    says 'run/job --gpu soft'
    says '--array demo_copy demo_slow'
    [[ $output != *gpus-per-node* && $output != *STARTS* ]]
    STARTS=5 run -0 run/submit --slurm --print --scale full alpha
    says '#SBATCH --time=03:55:00' # five times the half hour with half as much again, and the build
    says $'\nexport STARTS=5\nexec run/job'
    STARTS=x fails_with "STARTS 'x' must be" run/submit --slurm --print alpha
    printf '%s\n' 'SITE_PARTITION=long SITE_ACCOUNT=me SITE_EXCLUSIVE=no' 'SITE_OPTIONS=(--mem=0)' 'SITE_GPU_OPTION=--gres=gpu:h:%s' \
        'site_setup() { echo modules; }' >site
    DATAMOTION_SITE=$PWD/site run -0 run/submit --slurm --print demo_copy
    says '#SBATCH --partition=long'
    says '#SBATCH --account=me'
    says '#SBATCH --mem=0'
    says '#SBATCH --gres=gpu:h:1'
    [[ $output != *exclusive* ]]
    printf 'programs:\n\t@echo built\nmeasure:\n\t@echo measured $(EXPERIMENTS) into $(RESULTS)\n' >Makefile
    mkdir -p results/local/jobs/j
    DATAMOTION_SITE=$PWD/site run -0 run/job --gpu soft --scale smoke --results results/local --folder results/local/jobs/j demo_copy
    [ "${lines[0]}" = 'command: make -k GPU=soft SCALE=smoke RESULTS=results/local/jobs/j/results EXPERIMENTS="demo_copy" measure' ]
    says "this host: $(uname -n)"
    says 'modules'
    says 'measured demo_copy into results/local/jobs/j/results'
    says 'done; 0 results merged into results/local'
    GPU=soft run/submit --pbs --print --array demo_copy demo_slow >script
    grep -q '^#PBS -J 0-1$' script
    mkdir -p "$(sed -n 's/.*--folder \([^ ]*\).*/\1/p' script)"
    printf 'node1\nnode1\nnode2\n' >nodes
    PBS_ARRAY_INDEX=1 PBS_NODEFILE=$PWD/nodes run -0 bash script
    says 'hosts: node1 node2'
    says 'measured demo_slow into results/local/jobs/'
    [[ $output != *'measured demo_copy'* ]]
    sed -i '/^demo_ranks/ s/\tmpi\t/\tcluster=2\t/' alpha/experiments.tsv
    run -0 run/submit --pbs --print alpha
    says 'between nodes: 1 experiments here; --nodes 2 runs all of them on real ones'
    run -0 run/submit --pbs --print --nodes 2 alpha
    [[ $output != *'between nodes'* ]]
    PATH=/usr/bin:/bin fails_with 'is not found; run this on a login node' run/submit --pbs demo_copy
    fails_with "'nono' is neither" run/submit --slurm --print nono
    fails_with 'for which system' run/submit demo_copy
    fails_with "--partition 'a;b' must be" run/submit --slurm --partition 'a;b' demo_copy
    fails_with "--nodes '0' must be" run/submit --slurm --nodes 0 demo_copy
    fails_with "--time 'soon' must be" run/submit --slurm --time soon demo_copy
}

# The tree becomes a checkout of its own, with one commit.
commit_tree() {
    printf '/build\n/results\n/run\n' >.gitignore
    git init -q . && git add -A && git -c user.name=test -c user.email=test@example.org commit -qm first
}

@test "record: packs the results under the hardware's name" {
    commit_tree
    mkdir -p $R
    fails_with 'has no results' run/record box
    measure demo_copy demo_cuda
    touch $R/unknown.csv
    fails_with 'unknown: it has no JSON document' run/record box
    rm $R/unknown.csv
    run -0 run/record box
    [ "$(ls results/box | paste -sd ' ')" = 'demo_copy.csv.gz demo_copy.json demo_cuda.csv.gz demo_cuda.json' ]
    zcat results/box/demo_copy.csv.gz | cmp - $R/demo_copy.csv
    cp results/box/demo_copy.csv.gz first.gz
    fails_with 'is there already; --replace overwrites it' run/record box
    touch $R/demo_copy.csv
    run -0 run/record --append box
    [ "$output" = '2 experiments recorded in results/box/runs/2' ]
    run -0 run/record --append box
    [ "$(ls results/box/runs | paste -sd ' ')" = '2 3' ]
    zcat results/box/runs/3/demo_copy.csv.gz | cmp - $R/demo_copy.csv
    run -0 run/regress $R results/box
    fails_with 'results/nono is not there' run/record --append nono
    # What is measured anew takes its place among the others of a record.
    run -0 run/experiment --results anew demo_slow
    run -0 run/record --update --from anew box
    [ "$output" = '1 experiments recorded in results/box' ]
    [ "$(ls results/box | paste -sd ' ')" = 'demo_copy.csv.gz demo_copy.json demo_cuda.csv.gz demo_cuda.json demo_slow.csv.gz demo_slow.json runs' ]
    cmp first.gz results/box/demo_copy.csv.gz
    sed -i 's/1e-3/4e-3/' anew/demo_slow.csv
    run -0 run/record --update --from anew box
    zcat results/box/demo_slow.csv.gz | grep -q 4e-3
    run -0 run/verify results/box
    fails_with 'results/nono is not there' run/record --update nono
    fails_with 'one of --replace, --append and --update' run/record --update --replace box
    run -0 run/record --replace box
    [ ! -e results/box/runs ]
    cmp first.gz results/box/demo_copy.csv.gz
    [ "$(ls -A results | paste -sd ' ')" = 'box local' ]
    fails_with "the name 'local'" run/record local
    fails_with "the name '../x'" run/record ../x
    sed -i 's/pass/good/' $R/demo_copy.csv
    fails_with "status 'good'" run/record --replace box
    cmp first.gz results/box/demo_copy.csv.gz
}

@test "record and verify: what a result says of itself must be so" {
    measure demo_copy
    fails_with 'is not a checkout' run/verify $R
    commit_tree
    fails_with "demo_copy: its commit 'abc1234' is not in this repository" run/verify $R
    rm $R/demo_copy.*
    measure demo_copy demo_cuda
    run -0 run/verify $R
    says '2 results, 0 faults'

    local change sentence
    cp $R/demo_copy.json right.json
    while IFS='|' read -r change sentence; do
        jq "$change" right.json >$R/demo_copy.json
        fails_with "demo_copy: $sentence" run/verify $R
    done <<'TABLE'
.meta.dirty = true|its sources had changes that are in no commit
.meta.commit = "ffffffffffff"|its commit 'ffffffffffff' is not in this repository
.meta.commit = null|its commit '' is not in this repository
.meta.argv += ["-n", "7"]|its arguments '--times slow
.meta.scale = "full"|its arguments '--times slow
.meta.experiment = "demo_slow"|its JSON document is that of the experiment 'demo_slow'
.status = "TIMEOUT"|it was cut short by its time limit
.status = null|its JSON document is malformed
TABLE
    echo '{"schema_version": 1,' >$R/demo_copy.json
    fails_with 'demo_copy: its JSON document is malformed' run/verify $R
    cp right.json $R/demo_copy.json
    printf 'demo_copy,' >>$R/demo_copy.csv
    fails_with 'demo_copy: its CSV is cut off' run/verify $R
    rm $R/demo_copy.csv
    fails_with 'demo_copy: it has no CSV' run/verify $R
    fails_with 'no results directory' run/verify nowhere

    # What is known and accepted is counted apart, word for word; what is found beside it, or no longer, is a fault.
    rm $R/demo_copy.* && measure demo_copy
    jq '.meta.dirty = true' $R/demo_copy.json >changed.json && mv changed.json $R/demo_copy.json
    dirty='its sources had changes that are in no commit'
    printf 'id\tfault\treason\ndemo_copy\t%s\tmeasured in a hurry\n' "$dirty" >$R/accepted.tsv
    run -0 run/verify $R
    says "demo_copy: accepted: $dirty (measured in a hurry)"
    says "2 results, 0 faults, 1 accepted by $R/accepted.tsv"
    cp $R/demo_copy.json dirty.json
    jq '.meta.argv += ["-n", "7"]' dirty.json >$R/demo_copy.json
    fails_with "demo_copy: its arguments '--times slow" run/verify $R
    says '2 results, 1 faults, 1 accepted'
    cp dirty.json $R/demo_copy.json
    printf 'demo_cuda\t%s\tnever so\n' "$dirty" >>$R/accepted.tsv
    fails_with "accepted.tsv: not found any more, take it out: demo_cuda: $dirty" run/verify $R
    printf 'demo_copy\t%s\n' "$dirty" >$R/accepted.tsv
    fails_with 'accepted.tsv: its first line is not id, fault, reason' run/verify $R
    says "demo_copy: $dirty"
    rm $R/accepted.tsv

    # Recorded only when asked, and then the record says so.
    rm $R/demo_copy.* && measure demo_copy
    jq '.meta.dirty = true' $R/demo_copy.json >changed.json && mv changed.json $R/demo_copy.json
    fails_with 'nothing was recorded' run/record box
    [ ! -e results/box ]
    run -0 run/record --unverified box
    [ "$(jq -r .meta.unverified results/box/demo_copy.json)" = 'its sources had changes that are in no commit' ]
    [ "$(jq -r .meta.unverified results/box/demo_cuda.json)" = null ]
    [ "$(jq -S 'del(.meta.unverified)' results/box/demo_copy.json | cksum)" = "$(jq -S . $R/demo_copy.json | cksum)" ]
}

@test "verify: recorded machines have no fault but those that are accepted, and the README names these" {
    cd "$MAIN"
    git -c safe.directory='*' cat-file -e 6316f8a 2>/dev/null || skip 'the commits that were measured are not here'
    local machine id commit recorded changed
    judge_recorded
    for machine in results/*/; do
        [ "$machine" != results/local/ ] || continue
        TOOLS=$MAIN/build/tools run -0 run/verify "$machine"
        says ' 0 faults'
        while read -r id; do
            grep -q "\`$id\`" results/README.md || { echo "results/README.md does not name $id of $machine"; false; }
        done < <(tail -n +2 "$machine"accepted.tsv | cut -f 1)
    done
    # What is said of the AMD EPYC's: of what is built and run only the manifest changed up to the commit that has the arguments.
    while read -r commit recorded; do
        changed=$(git diff --name-only $commit $recorded -- '*.c' '*.h' '*.cu' '*.cpp' '*.f90' '*Makefile' '*.mk' run)
        [ -z "$changed" ] || { echo "$commit to $recorded: $changed"; false; }
    done < <(sed -nE 's/.* of its commit ([0-9a-f]+)\tthey are those of ([0-9a-f]+),.*/\1 \2/p' results/amd-epyc/accepted.tsv | sort -u)
}
