# coarrays/caf: atomics, locks, events and collectives on one node, over RMA, and on a virtual cluster.

load helper

setup() {
    need_program caf_words_ranks_test
    unset "${!CAF_@}" "${!DATAMOTION_CLUSTER_@}"
}

# words LAUNCHER ROUNDS IMAGES: every check of caf_words_ranks_test passes. LAUNCHER: ranks, or `ranks_on_hosts 2`.
words() {
    $1 "$3" "$tests/caf_words_ranks_test" all "$2"
    all_checks 16
}

# collectives LAUNCHER COUNT IMAGES: the same of caf_collective_ranks_test, with up to COUNT elements.
collectives() {
    $1 "$3" "$tests/caf_collective_ranks_test" all "$2"
    all_checks 10
}

# scenario LAUNCHER TEST NAME IMAGES: every image is content.
scenario() {
    $1 "$4" "$tests/caf_$2_ranks_test" "$3" 10
    all_checks "$4"
}

@test "words: one image" {
    words ranks 500 1
}

@test "words: two images" {
    words ranks 500 2
}

@test "words: four images" {
    words ranks 500 4
}

@test "words: eight images" {
    words ranks 200 8
}

@test "words: over RMA within a node" {
    CAF_PATH=rma words ranks 200 4
}

@test "words: two nodes with two images each" {
    words "ranks_on_hosts 2" 20 4
}

@test "words: two nodes with one image each" {
    words "ranks_on_hosts 2" 20 2
}

@test "a lock whose holder stops, and events when all others have stopped" {
    local name
    for name in stop alone; do
        scenario ranks words $name 2
        scenario ranks words $name 4
        CAF_PATH=rma scenario ranks words $name 3
    done
    CAF_WAIT_LIMIT_S=1 scenario ranks words limit 3
}

@test "the same between nodes" {
    scenario "ranks_on_hosts 2" words stop 4
    scenario "ranks_on_hosts 2" words alone 4
    CAF_WAIT_LIMIT_S=1 scenario "ranks_on_hosts 2" words limit 4
}

@test "collectives: one image" {
    collectives ranks 300000 1
}

@test "collectives: two images" {
    collectives ranks 300000 2
}

@test "collectives: four images" {
    collectives ranks 300000 4
}

@test "collectives: eight images" {
    collectives ranks 9001 8
}

@test "collectives: over RMA within a node" {
    CAF_PATH=rma collectives ranks 9001 4
}

@test "collectives: two nodes with two images each" {
    collectives "ranks_on_hosts 2" 9001 4
}

@test "collectives: two nodes with numbers of images that are no powers of 2" {
    collectives "ranks_on_hosts 2" 1000 3
    collectives "ranks_on_hosts 2" 1000 6
    collectives "ranks_on_hosts 2" 1000 7
}

@test "collectives: two nodes with one image each" {
    collectives "ranks_on_hosts 2" 300000 2
}

@test "an image that stops before or during a collective is told by all" {
    local name
    for name in early late; do
        scenario ranks collective $name 2
        scenario ranks collective $name 4
        CAF_PATH=rma scenario ranks collective $name 3
    done
    CAF_WAIT_LIMIT_S=1 scenario ranks collective limit 3
}

@test "also on another node" {
    scenario "ranks_on_hosts 2" collective early 4
    scenario "ranks_on_hosts 2" collective late 4
    CAF_WAIT_LIMIT_S=1 scenario "ranks_on_hosts 2" collective limit 4
}

# stops N ARGUMENTS...: on two hosts; every image is content, and the program ends by itself.
stops() {
    ranks_on_hosts 2 "$1" "$tests/caf_collective_stop_ranks_test" "${@:2}"
    all_checks "$1"
}

@test "between nodes: an image stops before collectives, while others wait in one, or right after it" {
    local image kind
    for image in 1 3 4; do
        stops 4 gone "$image"
    done
    for kind in 0 1 2 3 4 5 6; do # from 5 on the long ones, which come together first
        stops 4 waiting $((kind % 4 + 1)) "$kind"
        stops 4 after $(((kind + 2) % 4 + 1)) "$kind"
    done
}

# SOAK=100: so many seeds instead of 3; SOAK_FIRST=N: from that seed on.
@test "between nodes: images stop at random among collectives, also in teams of teams" {
    local seed first=${SOAK_FIRST:-1}
    for ((seed = first; seed < first + ${SOAK:-3}; seed++)); do
        stops 2 at_random "$seed"
        stops 3 at_random "$seed"
        stops 5 at_random "$seed"
        stops 4 in_teams "$seed"
        stops 6 in_teams "$seed"
    done
}
