# The check for ReFrame runs experiments of the manifest; without ReFrame (pip install ReFrame-HPC) only its syntax is looked at.
# shellcheck disable=SC2086,SC2164,SC2154

bats_require_minimum_version 1.5.0
load fixtures/run/setup.bash

check() {
    DATAMOTION_ROOT=$PWD reframe --nocolor --exec-policy=serial --prefix "$PWD/rf" -c "$MAIN/run/reframe/datamotion_check.py" \
        -S datamotion.scale=smoke "$@" -r
}

@test "the check is right Python" {
    command -v python3 >/dev/null || skip 'python3 is not installed'
    python3 -c 'import ast, sys; ast.parse(open(sys.argv[1]).read())' "$MAIN/run/reframe/datamotion_check.py"
}

@test "ReFrame runs experiments, skips what is waived, and fails with what fails" {
    command -v reframe >/dev/null || skip 'ReFrame is not installed'
    run -1 check
    says 'Ran 4/6 test case(s) from 6 check(s) (1 failure(s)'
    [[ $output == *'OK'*'demo_copy'*'P: slow: 0.002'*'P: fast: 0.001'* ]]
    [[ $output == *'SKIP'*'demo_waived'*'[no "fast" memory here]'* ]]
    [[ $output == *'FAIL'*'demo_pending'* ]]
}

@test "ReFrame compares with a recorded machine: what became slower fails" {
    command -v reframe >/dev/null || skip 'ReFrame is not installed'
    run/experiment --results results/box demo_copy
    run -0 check -n demo_copy -S datamotion.compare_with=results/box
    says 'Ran 1/1'
    sed -i '/^demo_copy/s/fast:1024:.*-3\t-\t-\t1\t1/fast:1024:2e-3,2.1e-3,2e-3,2e-3,2.1e-3,2e-3,2e-3\t-\t-\t1\t1/' alpha/experiments.tsv
    run -1 check -n demo_copy -S datamotion.compare_with=results/box
    says 'run/regress found something slower'
}
