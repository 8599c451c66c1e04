#!/usr/bin/env bats
# Built on a login node, measured on a compute node that has neither compilers nor headers nor what draws, drawn on the login node again: two
# views of this machine, in each of which what that node lacks is hidden.
bats_require_minimum_version 1.5.0

setup() {
    cd "$BATS_TEST_DIRNAME/.." || exit 1
    unset MAKEFLAGS MFLAGS MAKELEVEL RESULTS SCALE HIDE
    unshare --mount true 2>/dev/null || skip "only root hides files from a process, in a mount namespace"
    ls build/soft/bin/pinning_copy build/tools/collect >/dev/null 2>&1 || skip "pinning_copy or the tools of run/ were not built here"
    command -v gnuplot sqlite3 >/dev/null || skip "gnuplot or sqlite3 is not here"
    export GPU=soft
    own=results/local/login-$$
}

teardown() {
    [ -z "${own:-}" ] || rm -rf "$own"
}

# on_compute_node COMMAND...: where compilers, headers, gnuplot and sqlite3 are not.
on_compute_node() {
    # shellcheck disable=SC2016 # the inner shell expands them
    unshare --mount bash -c 'mkdir -p "$0" && printf "#!/bin/sh\necho \"\$0 is not on this node\" >&2\nexit 127\n" >"$0/missing" && chmod 755 "$0/missing"
        mount -t tmpfs none /usr/include
        for name in gcc cc g++ c++ gfortran mpicc clang-{14..19} opt-{14..19} gnuplot sqlite3 jq; do
            file=$(readlink -f "$(command -v $name)") && [ -f "$file" ] && mount --bind "$0/missing" "$file"
        done
        exec "$@"' "$BATS_TEST_TMPDIR/hidden" "$@"
}

@test "built on a login node, measured on a compute node without compilers, drawn on the login node" {
    local built measure=(make --no-print-directory BUILT=1 SCALE=smoke RESULTS="$own" EXPERIMENTS=pinning_copy measure)
    built=$(stat -c '%i %Y' build/libraries.mk build/soft/bin/pinning_copy)
    run -127 on_compute_node gcc --version
    [[ $output == *"is not on this node"* ]]
    run on_compute_node "${measure[@]}"
    echo "$output"
    [ "$status" -eq 0 ]
    [[ $output == *"[1/1] pinning_copy"* && $output != *waived* ]]
    [ -s "$own/pinning_copy.csv" ] && [ ! -e "$own/results.db" ]
    # What was noted and built on the login node is as it was.
    [ "$(stat -c '%i %Y' build/libraries.mk build/soft/bin/pinning_copy)" = "$built" ]
    run make --no-print-directory MEASURE=0 FORMATS=svg RESULTS="$own" peshne-fig-6-12
    echo "$output"
    [ "$status" -eq 0 ]
    [ -s "$own/figures/peshne-fig-6-12.svg" ]
}
