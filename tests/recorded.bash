# recorded.bash: the data bases of the recorded machines, for tests of the tree as a whole: `load recorded`.
# shellcheck shell=bash

# Makes them and the verdicts in them, in the folders of the tree, where they take half a minute: the first test does that for all.
judge_recorded() {
    local root=${BATS_TEST_DIRNAME%/tests} machine
    (
        flock 9
        for machine in "$root"/results/*/; do
            [ "$(basename "$machine")" = local ] || TOOLS=$root/build/tools "$root/run/check" -q "$machine"
        done
    ) 9>"$root/build/judging"
}
