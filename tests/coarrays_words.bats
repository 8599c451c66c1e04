# coarrays/caf: atomics, locks, events and collectives on one node, over RMA, and on a virtual cluster.
# shellcheck disable=SC2164
# bats stops at a failed command.

setup() {
    cd "$BATS_TEST_DIRNAME/.."
    programs=build/${GPU:-soft}/test
    [ -x "$programs/caf_words_ranks_test" ] || skip "no MPI here: caf_words_ranks_test was not built"
    unset "${!CAF_@}" "${!DATAMOTION_CLUSTER_@}"
    node=(timeout 300 "${MPIRUN:-mpirun}" --oversubscribe --bind-to none)
    [ "$(id -u)" -ne 0 ] || node+=(--allow-run-as-root)
    cluster=(timeout 300 run/cluster mpirun --name "words$$-$BATS_TEST_NUMBER" --hosts 2)
}

need_cluster() {
    local reason
    # shellcheck source=run/needs.sh
    reason=$(source run/needs.sh && unmet_cluster)
    [ -z "$reason" ] || skip "$reason"
}

# words ROUNDS IMAGES LAUNCHER...: every check of caf_words_ranks_test passes.
words() {
    run "${@:3}" -np "$2" "$programs/caf_words_ranks_test" all "$1"
    passed 16
}

# collectives COUNT IMAGES LAUNCHER...: the same of caf_collective_ranks_test, with up to COUNT elements.
collectives() {
    run "${@:3}" -np "$2" "$programs/caf_collective_ranks_test" all "$1"
    passed 10
}

# passed CHECKS
passed() {
    echo "$output"
    [ "$status" -eq 0 ]
    [ "$(grep -c '^ok ' <<<"$output")" -eq "$1" ]
    ! grep -q '^not ok' <<<"$output"
}

# scenario TEST NAME IMAGES LAUNCHER...: every image is content.
scenario() {
    run "${@:4}" -np "$3" "$programs/caf_$1_ranks_test" "$2" 10
    passed "$3"
}

@test "words: one image" {
    words 500 1 "${node[@]}"
}

@test "words: two images" {
    words 500 2 "${node[@]}"
}

@test "words: four images" {
    words 500 4 "${node[@]}"
}

@test "words: eight images" {
    words 200 8 "${node[@]}"
}

@test "words: over RMA within a node" {
    CAF_PATH=rma words 200 4 "${node[@]}"
}

@test "words: two nodes with two images each" {
    need_cluster
    words 20 4 "${cluster[@]}"
}

@test "words: two nodes with one image each" {
    need_cluster
    words 20 2 "${cluster[@]}"
}

@test "a lock whose holder stops, and events when all others have stopped" {
    local name
    for name in stop alone; do
        scenario words $name 2 "${node[@]}"
        scenario words $name 4 "${node[@]}"
        CAF_PATH=rma scenario words $name 3 "${node[@]}"
    done
    CAF_WAIT_LIMIT_S=1 scenario words limit 3 "${node[@]}"
}

@test "the same between nodes" {
    need_cluster
    scenario words stop 4 "${cluster[@]}"
    scenario words alone 4 "${cluster[@]}"
    CAF_WAIT_LIMIT_S=1 scenario words limit 4 "${cluster[@]}"
}

@test "collectives: one image" {
    collectives 300000 1 "${node[@]}"
}

@test "collectives: two images" {
    collectives 300000 2 "${node[@]}"
}

@test "collectives: four images" {
    collectives 300000 4 "${node[@]}"
}

@test "collectives: eight images" {
    collectives 9001 8 "${node[@]}"
}

@test "collectives: over RMA within a node" {
    CAF_PATH=rma collectives 9001 4 "${node[@]}"
}

@test "collectives: two nodes with two images each" {
    need_cluster
    collectives 9001 4 "${cluster[@]}"
}

@test "collectives: two nodes with one image each" {
    need_cluster
    collectives 300000 2 "${cluster[@]}"
}

@test "an image that stops before or during a collective is told by all" {
    local name
    for name in early late; do
        scenario collective $name 2 "${node[@]}"
        scenario collective $name 4 "${node[@]}"
        CAF_PATH=rma scenario collective $name 3 "${node[@]}"
    done
    CAF_WAIT_LIMIT_S=1 scenario collective limit 3 "${node[@]}"
}

@test "also on another node" {
    need_cluster
    scenario collective early 4 "${cluster[@]}"
    scenario collective late 4 "${cluster[@]}"
}
