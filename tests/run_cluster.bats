#!/usr/bin/env bats
# run/cluster: virtual hosts and their links, Open MPI in them, and that nothing of them is left.
# shellcheck disable=SC2164,SC2154,SC2016,SC2010,SC2143
# The names here have no blanks, and bats stops at a failed command.
bats_require_minimum_version 1.5.0

# One small MPI program. It says where its ranks are, streams, tries one-sided communication,
# or ends with the code that it is given.
write_program() {
    cat <<'SOURCE'
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
enum { CHUNK = 1 << 20 };
static int rank, ranks;
static char *buffer;

static void where(void) {
    char host[MPI_MAX_PROCESSOR_NAME];
    int length, shared;
    MPI_Comm node;
    MPI_Get_processor_name(host, &length);
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
    MPI_Comm_size(node, &shared);
    printf("rank %d of %d on %s with %d\n", rank, ranks, host, shared);
}

/* Rank 0 exchanges so many MiB with each other rank, with all at once, and prints byte/s. */
static void stream(int mib, int send) {
    MPI_Request requests[8];
    MPI_Barrier(MPI_COMM_WORLD);
    double start = MPI_Wtime();
    for (int i = 0; i < mib; i++) {
        int count = rank == 0 ? ranks - 1 : 1;
        for (int k = 0; k < count; k++)
            if (send == (rank == 0))
                MPI_Isend(buffer, CHUNK, MPI_BYTE, rank ? 0 : k + 1, 0, MPI_COMM_WORLD, &requests[k]);
            else
                MPI_Irecv(buffer + k * CHUNK, CHUNK, MPI_BYTE, rank ? 0 : k + 1, 0, MPI_COMM_WORLD, &requests[k]);
        MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        printf("%.0f\n", (double)mib * CHUNK * (ranks - 1) / (MPI_Wtime() - start));
}

/* Every rank counts up a word of the last rank and reads its memory. */
static void window(void) {
    long *memory, one = 1, old, cells[512], wrong = 0;
    MPI_Win win;
    MPI_Win_allocate(CHUNK, sizeof(long), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    for (int i = 0; i < 1024; i++)
        memory[i] = i < 2 ? 0 : rank + i;
    MPI_Win_lock_all(0, win);
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < 50; i++) {
        MPI_Get(cells, 512, MPI_LONG, ranks - 1, 8, 512, MPI_LONG, win);
        MPI_Fetch_and_op(&one, &old, MPI_LONG, ranks - 1, 0, MPI_SUM, win);
        MPI_Win_flush(ranks - 1, win);
        wrong += cells[511] != ranks - 1 + 8 + 511;
        for (long seen = old, next = seen + 1; seen != -1; next = seen + 1) {
            MPI_Compare_and_swap(&next, &seen, &old, MPI_LONG, ranks - 1, 1, win);
            MPI_Win_flush(ranks - 1, win);
            seen = old == seen ? -1 : old;
        }
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_sync(win);
    if (rank == ranks - 1)
        wrong += memory[0] != 50 * ranks || memory[1] != 50 * ranks;
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0)
        printf("wrong %ld\n", wrong);
}

int main(int argc, char **argv) {
    int threads;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &threads);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    buffer = calloc(8, CHUNK);
    if (strcmp(argv[1], "where") == 0)
        where();
    else if (strcmp(argv[1], "stream") == 0)
        stream(8, strcmp(argv[2], "send") == 0);
    else if (strcmp(argv[1], "window") == 0)
        window();
    MPI_Finalize();
    return atoi(argv[1]);
}
SOURCE
}

setup_file() {
    export MAIN=${BATS_TEST_DIRNAME%/tests}
    if command -v mpicc >/dev/null && command -v mpirun >/dev/null; then
        write_program >"$BATS_FILE_TMPDIR/program.c"
        mpicc -O1 -o "$BATS_FILE_TMPDIR/program" "$BATS_FILE_TMPDIR/program.c"
    fi
}

setup() {
    cd "$MAIN"
    unset "${!DATAMOTION_CLUSTER_@}" MPIRUN
    program=$BATS_FILE_TMPDIR/program
    # All clusters of a test have this name or begin with it.
    export DATAMOTION_CLUSTER=bats$$-$BATS_TEST_NUMBER
    ip -o link >"$BATS_TEST_TMPDIR/links" 2>/dev/null || true
}

teardown() {
    local name
    for name in $(ls /run/datamotion 2>/dev/null | grep "^$DATAMOTION_CLUSTER"); do
        run/cluster down --name "$name"
    done
}

need_cluster() {
    local reason
    # shellcheck source=run/needs.sh
    reason=$(source run/needs.sh && unmet_cluster)
    [ -z "$reason" ] || skip "$reason"
}

need_mpi() {
    [ -x "$program" ] || skip 'mpicc or mpirun is not installed'
}

# Nothing of this test's clusters is there: name spaces, links, state, memory, processes with the marker $1.
nothing_left() {
    [ -z "$(ip netns list | grep "dm-$DATAMOTION_CLUSTER")" ]
    ip -o link | cut -d: -f2 | diff - <(cut -d: -f2 "$BATS_TEST_TMPDIR/links")
    [ -z "$(ls /run/datamotion /dev/shm | grep "$DATAMOTION_CLUSTER")" ]
    [ -z "${1:-}" ] || [ -z "$(pgrep -f "$1")" ]
}

# wait_for COMMAND...: until it succeeds, for 10 s.
wait_for() {
    for _ in {1..100}; do
        "$@" >/dev/null 2>&1 && return
        sleep 0.1
    done
    echo "in vain: $*"
    return 1
}

says() {
    [[ $output == *"$1"* ]] || {
        printf 'expected: %s\ngot: %s\n' "$1" "$output"
        return 1
    }
}

fails_with() {
    local text=$1
    shift
    run -1 "$@"
    says "$text"
}

# sent_by HOST: the bytes that have left it.
sent_by() {
    run/cluster status | awk -v host="$1" '$1 == host { print $6 }'
}

@test "it explains itself and refuses what it does not know" {
    run -0 run/cluster -h
    says 'Usage: run/cluster up'
    run -0 run/cluster mpirun --help
    fails_with 'which command?' run/cluster
    fails_with "unknown command 'start'" run/cluster start
    fails_with "unknown option '--nonsense'" run/cluster up --nonsense
    fails_with '--hosts needs a value' run/cluster up --hosts
    fails_with "the name '../x' must be" run/cluster up --name ../x
    for hosts in 0 65 -1 two 1e3; do
        fails_with "--hosts '$hosts' must be" run/cluster up --hosts "$hosts"
    done
    for rate in 1 fast 1gib -1gbit 0gbit 1kbit 200gbit '1gbit;true'; do
        fails_with "--rate '$rate' must be" run/cluster up --rate "$rate"
    done
    for delay in 5 -1us 1s 2000ms 1.2.3us; do
        fails_with "--delay '$delay' must be" run/cluster up --delay "$delay"
    done
    DATAMOTION_CLUSTER_HOSTS=0 fails_with "--hosts '0' must be" run/cluster up
    for ranks in '' '-np 0' '-np two'; do
        # shellcheck disable=SC2086 # two words
        fails_with 'mpirun needs -np N' run/cluster mpirun $ranks true
    done
    fails_with 'exec needs a host and a command' run/cluster exec h0
    [ ! -e "/run/datamotion/$DATAMOTION_CLUSTER" ]
}

@test "a machine that cannot have a cluster waives in a sentence" {
    mkdir "$BATS_TEST_TMPDIR/bin"
    for tool in bash env dirname readlink id awk sed unshare flock setpriv tc; do
        ln -s "$(command -v $tool)" "$BATS_TEST_TMPDIR/bin/"
    done
    if [ "$(id -u)" -eq 0 ]; then
        public=$(mktemp -d) # the tree may lie where nobody else can read
        cp -r run "$public/"
        chmod -R go+rX "$public"
        run -2 setpriv --reuid 65534 --clear-groups bash "$public/run/cluster" up
        rm -rf "$public"
        says 'RESULT: WAIVED it needs the virtual cluster, which only root can start; run it as root'
        run -2 env PATH="$BATS_TEST_TMPDIR/bin" run/cluster up
        says 'RESULT: WAIVED it needs the virtual cluster, and the command ip is not found'
    else
        run -2 run/cluster up
        says 'only root can start'
    fi
}

@test "without MPI a run is waived" {
    need_cluster
    MPIRUN=/nonexistent/mpirun run -2 run/cluster mpirun -np 2 true
    says 'RESULT: WAIVED it needs MPI'
}

@test "up, status, exec and down: hosts with names, addresses and rates, and nothing is left" {
    need_cluster
    run -0 run/cluster up --hosts 3 --rate 100mbit
    [ "${#lines[@]}" -eq 4 ]
    [[ ${lines[2]} =~ ^h1\ +10.77.0.2\ +100Mbit\ +100Mbit\ +none\ +[0-9]+\ +[0-9]+$ ]]
    fails_with 'is up already; run/cluster down' run/cluster up
    [ "$(run/cluster exec h2 uname -n)" = h2 ]
    [ "$(uname -n)" != h2 ]
    [ "$(run/cluster exec h0 getent hosts h1)" = '10.77.0.2       h1' ]
    run -3 run/cluster exec h1 sh -c 'exit 3'
    fails_with "has no host 'h3'" run/cluster exec h3 true
    fails_with "has no host 'switch'" run/cluster exec switch true
    fails_with 'no cluster' run/cluster status --name "$DATAMOTION_CLUSTER-none"
    run -0 run/cluster down
    nothing_left
    run -0 run/cluster down
    [ -z "$output" ]
    fails_with 'no cluster' run/cluster exec h0 true
}

@test "several clusters at once do not meet" {
    need_cluster
    run/cluster up --name "$DATAMOTION_CLUSTER-a" >/dev/null &
    run/cluster up --name "$DATAMOTION_CLUSTER-b" --hosts 1 >/dev/null
    wait $!
    run -0 run/cluster status --name "$DATAMOTION_CLUSTER-a"
    [ "${#lines[@]}" -eq 3 ]
    run/cluster down --name "$DATAMOTION_CLUSTER-a"
    run -0 run/cluster status --name "$DATAMOTION_CLUSTER-b"
    [ "${#lines[@]}" -eq 2 ]
    run/cluster down --name "$DATAMOTION_CLUSTER-b"
    nothing_left
}

@test "a delay is netem behind each host's port; a kernel without it waives" {
    need_cluster
    run run/cluster up --delay 50us
    if [ "$status" -eq 0 ]; then
        [[ ${lines[1]} == *' 50us '* ]]
        run/cluster down
    else
        [ "$status" -eq 2 ]
        says 'RESULT: WAIVED it needs links with a delay, and this kernel has no netem'
    fi
    nothing_left
    mkdir "$BATS_TEST_TMPDIR/bin"
    printf '#!/bin/sh\ncase "$*" in\n*netem*) echo "$*" >>%s ;;\n*) exec %s "$@" ;;\nesac\n' \
        "$BATS_TEST_TMPDIR/netem" "$(command -v tc)" >"$BATS_TEST_TMPDIR/bin/tc"
    chmod +x "$BATS_TEST_TMPDIR/bin/tc"
    PATH=$BATS_TEST_TMPDIR/bin:$PATH run/cluster up --delay 1.5ms
    [ "$(wc -l <"$BATS_TEST_TMPDIR/netem")" -eq 2 ]
    grep -q -- "-switch qdisc add dev h1 parent 1:1 handle 2: netem delay 1500us" "$BATS_TEST_TMPDIR/netem"
}

@test "a kernel that refuses a part waives, and nothing is left" {
    need_cluster
    mkdir "$BATS_TEST_TMPDIR/bin"
    printf '#!/bin/sh\necho "Error: Specified qdisc kind is unknown." >&2\nexit 2\n' >"$BATS_TEST_TMPDIR/bin/tc"
    chmod +x "$BATS_TEST_TMPDIR/bin/tc"
    PATH=$BATS_TEST_TMPDIR/bin:$PATH run -2 run/cluster up
    says "RESULT: WAIVED it needs the virtual cluster, and the kernel does not allow 'tc -n ...': Error: Specified qdisc"
    nothing_left
    rm "$BATS_TEST_TMPDIR/bin/tc"
    printf '#!/bin/sh\ncase $* in *-n*-batch*) echo "RTNETLINK answers: Operation not supported" >&2 && echo "Command failed -:1" >&2 && exit 1 ;; esac\nexec %s "$@"\n' \
        "$(command -v ip)" >"$BATS_TEST_TMPDIR/bin/ip"
    chmod +x "$BATS_TEST_TMPDIR/bin/ip"
    PATH=$BATS_TEST_TMPDIR/bin:$PATH run -2 run/cluster up
    says "RESULT: WAIVED it needs the virtual cluster, and the kernel does not allow 'ip link ...': RTNETLINK answers: Operation not supported"
    nothing_left
}

@test "mpirun without a cluster: one rank per host, and it is taken down" {
    need_cluster
    need_mpi
    run -0 --separate-stderr timeout 300 run/cluster mpirun -np 3 --bind-to none --allow-run-as-root --oversubscribe "$program" where
    [ "$(sort <<<"$output")" = 'rank 0 of 3 on h0 with 1
rank 1 of 3 on h1 with 1
rank 2 of 3 on h2 with 1' ]
    nothing_left "$program"
    run -7 --separate-stderr timeout 300 run/cluster mpirun -np 2 "$program" 7
    nothing_left "$program"
    GREETING=hello run -0 --separate-stderr timeout 300 run/cluster mpirun -x GREETING -np 1 sh -c 'echo $GREETING $(uname -n)'
    [ "$output" = 'hello h0' ]
}

@test "mpirun deals consecutive ranks to the hosts asked for" {
    need_cluster
    need_mpi
    run -0 --separate-stderr timeout 300 run/cluster mpirun --hosts 2 -np 5 "$program" where
    [ "$(sort <<<"$output")" = 'rank 0 of 5 on h0 with 3
rank 1 of 5 on h0 with 3
rank 2 of 5 on h0 with 3
rank 3 of 5 on h1 with 2
rank 4 of 5 on h1 with 2' ]
    DATAMOTION_CLUSTER_HOSTS=1 run -0 --separate-stderr timeout 300 run/cluster mpirun -np 2 "$program" where
    says 'rank 1 of 2 on h0 with 2'
    run/cluster up --hosts 4 >/dev/null
    run -0 --separate-stderr timeout 300 run/cluster mpirun -np 2 "$program" where
    says 'rank 1 of 2 on h1 with 1'
    run -0 run/cluster status
    [ "${#lines[@]}" -eq 5 ]
}

@test "messages between hosts cross the links, within a host they do not" {
    need_cluster
    need_mpi
    run/cluster up --hosts 2 >/dev/null
    timeout 300 run/cluster mpirun -np 2 "$program" stream receive
    [ "$(sent_by h1)" -gt $((8 << 20)) ]
    run/cluster down
    run/cluster up --hosts 1 >/dev/null
    timeout 300 run/cluster mpirun -np 2 "$program" stream receive
    [ "$(sent_by h0)" -lt $((1 << 20)) ]
}

@test "no host sends or receives faster than its link" {
    need_cluster
    need_mpi
    local rate direction
    for direction in send receive; do
        rate=$(timeout 300 run/cluster mpirun --rate 100mbit -np 3 "$program" stream $direction)
        echo "h0 can $direction $rate byte/s"
        [ "$rate" -le 13000000 ]
        [ "$rate" -ge 1000000 ]
    done
}

@test "one-sided communication under MPI_THREAD_MULTIPLE between hosts, within one, and mixed" {
    need_cluster
    need_mpi
    for hosts in 2 1; do
        for ranks in 2 4; do
            run -0 --separate-stderr timeout 300 run/cluster mpirun --hosts $hosts -np $ranks "$program" window
            [ "$output" = 'wrong 0' ]
        done
    done
    nothing_left "$program"
    run/cluster up --hosts 2 >/dev/null
    timeout 300 run/cluster mpirun -np 2 "$program" window
    [ "$(sent_by h1)" -gt $((50 * 4096)) ]
}

@test "a host that does not reply is an error, not a wait" {
    need_cluster
    need_mpi
    run/cluster up --hosts 2 >/dev/null
    run/cluster exec h1 ip link set eth0 down
    fails_with 'the host h1 of the cluster' timeout 30 run/cluster mpirun -np 2 "$program" where
    run/cluster down
    nothing_left
}

@test "TERM, HUP and a time limit take the run and its cluster down" {
    need_cluster
    need_mpi
    local pid signal code
    for signal in TERM HUP; do
        # Who is started by nohup ignores HUP, and so would all that it starts.
        env --default-signal=HUP run/cluster mpirun -np 2 sleep "7$$" 3>&- &
        pid=$!
        wait_for pgrep -f "^sleep 7$$"
        kill -$signal $pid
        code=0
        wait $pid || code=$?
        [ "$code" -eq 1 ] || [ "$code" -eq 143 ]
        nothing_left "^sleep 7$$"
    done
    run -124 timeout --kill-after=30 2 run/cluster mpirun -np 2 sleep "7$$"
    nothing_left "^sleep 7$$"
}

@test "a run whose daemon is killed ends long before its time limit" {
    need_cluster
    need_mpi
    # Whether Open MPI sees it by itself or run/cluster does.
    run/cluster mpirun -np 2 sleep "6$$" 3>&- &
    local pid=$! name code=0
    name=$DATAMOTION_CLUSTER-$pid
    wait_for pgrep -f "^sleep 6$$"
    ip netns pids "$(ip netns list | cut -d' ' -f1 | grep "$name.*h1\$" | head -n 1)" | while read -r each; do
        [ "$(cat /proc/$each/comm)" != orted ] || kill -9 $each
    done
    wait $pid || code=$?
    [ "$code" -ne 0 ]
    nothing_left "^sleep 6$$"
}

# An mpirun that waits for a daemon which is gone, as one does whose daemon was killed while it started.
@test "an mpirun that waits for a lost daemon is ended" {
    need_cluster
    mkdir "$BATS_TEST_TMPDIR/bin"
    printf '#!/bin/sh\nexec sleep 5%s\n' "$$" >"$BATS_TEST_TMPDIR/bin/mpirun"
    chmod +x "$BATS_TEST_TMPDIR/bin/mpirun"
    local start=$SECONDS
    MPIRUN=$BATS_TEST_TMPDIR/bin/mpirun run ! run/cluster mpirun -np 2 true
    says "Open MPI's daemon on the host h1 has ended"
    [ $((SECONDS - start)) -lt 120 ]
    nothing_left "^sleep 5$$"
}

@test "down cleans up after kill -9, with processes left in the hosts" {
    need_cluster
    need_mpi
    run/cluster mpirun -np 2 sleep "8$$" 3>&- &
    local pid=$! name
    wait_for pgrep -f "^sleep 8$$"
    name=$DATAMOTION_CLUSTER-$pid
    run/cluster exec --name "$name" h1 sh -c 'trap "" TERM; while :; do sleep 0.'"8$$"'; done' 3>&- &
    wait_for pgrep -f "^sleep 0.8$$"
    kill -9 $pid
    run -0 timeout 300 run/cluster down --name "$name"
    nothing_left "sleep .*8$$"
}

@test "the next cluster takes down one whose mpirun was killed" {
    need_cluster
    need_mpi
    run/cluster mpirun -np 2 sleep "9$$" 3>&- &
    wait_for pgrep -f "^sleep 9$$"
    kill -9 $!
    wait $! || true
    mkdir "/run/datamotion/$DATAMOTION_CLUSTER-empty" # of one killed in its first moment
    run/cluster up --hosts 1 >/dev/null
    [ "$(ls /run/datamotion | grep -c "^$DATAMOTION_CLUSTER")" -eq 1 ]
    run/cluster down
    nothing_left "sleep 9$$"
}

@test "an experiment with the need cluster runs on one host per rank" {
    need_cluster
    need_mpi
    cp -r tests/fixtures/run/tree "$BATS_TEST_TMPDIR/tree"
    cd "$BATS_TEST_TMPDIR/tree"
    ln -s "$MAIN/run" run
    printf '#!/bin/sh\nuname -n >>%s/hosts\nexec %s/tests/fixtures/run/fake_program "$@"\n' "$PWD" "$MAIN" >fake
    mkdir -p bin && mv fake bin/ && chmod +x bin/fake
    sed -i '/^demo_ranks/ s/\tmpi\t/\tcluster\t/' alpha/experiments.tsv
    BIN=$PWD/bin run -0 run/experiment --scale smoke demo_ranks
    [ "$(sort hosts | paste -sd ' ')" = 'h0 h1 h2' ]
    [ -s results/local/demo_ranks.csv ]
    rm hosts
    sed -i '/^demo_ranks/ s/\tcluster\t/\tcluster=2\t/' alpha/experiments.tsv
    BIN=$PWD/bin run -0 run/experiment --scale smoke demo_ranks
    [ "$(sort hosts | paste -sd ' ')" = 'h0 h0 h1' ]
    printf '#!/bin/sh\necho "Error: no such qdisc" >&2\nexit 2\n' >bin/tc
    chmod +x bin/tc
    BIN=$PWD/bin PATH=$PWD/bin:$PATH run -0 run/experiment --scale smoke demo_ranks
    says "waived: it needs the virtual cluster, and the kernel does not allow 'tc -n ...': Error: no such qdisc"
    BIN=$PWD/bin DATAMOTION_CLUSTER_DELAY=nonsense run -1 run/experiment --scale smoke demo_ranks
    says "--delay 'nonsense' must be"
    nothing_left
}

@test "an experiment with the need network runs on the cluster, and within the machine where there is none" {
    need_mpi
    [ -x build/soft/bin/prefetch_timeline ] || skip 'prefetch_timeline is not built'
    results=$BATS_TEST_TMPDIR/results
    mkdir "$BATS_TEST_TMPDIR/bin"
    printf '#!/bin/sh\nexit 1\n' >"$BATS_TEST_TMPDIR/bin/unshare"
    chmod +x "$BATS_TEST_TMPDIR/bin/unshare"
    PATH=$BATS_TEST_TMPDIR/bin:$PATH run -0 run/experiment --scale smoke --gpu soft --results "$results" prefetch_timeline
    grep -q ',shared memory,' "$results/prefetch_timeline.csv"
    need_cluster
    run -0 run/experiment --scale smoke --gpu soft --results "$results" prefetch_timeline
    grep -q ',cluster 1Gbit,' "$results/prefetch_timeline.csv"
    grep -qE '"DATAMOTION_NODES": "virtual cluster: h0 h1 h2; ethernet eth0, 1Gbit, MTU 1500"' "$results/prefetch_timeline.json"
    run ! grep -q ',shared memory,' "$results/prefetch_timeline.csv"
}
