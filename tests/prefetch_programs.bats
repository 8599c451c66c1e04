# prefetch_run: every SIAL program of prefetch/sialx gives its right result however it is run (the programs check
# themselves), and what goes wrong is said in a sentence that names the statement.
#
# DATAMOTION_FULL=1 runs the cross product of programs and settings (half an hour); else each setting occurs somewhere.

load helper

setup() {
    need_program prefetch_run
    program=$bin/prefetch_run
}

# Predefined values for a small run.
values() {
    case $1 in
    put_test) echo --set norb=4,check=1 ;;
    matrix_product | matrix_accumulate | product_check | power_iteration | jacobi) echo --set norb=4 ;;
    permute | served_arrays) echo --set norb=2 ;;
    transform) echo --set nao=2,nmo=2 ;;
    ao_ladder) echo --set nao=2,nocc=1 ;;
    rank_k_update) echo --set norb=5,nk=2 ;;
    sparse_product) echo --set norb=5,band=1 ;;
    ccd) echo --set nvirt=2,nocc=1 ;;
    scf_like) echo --set norb=5,cycles=2,work_s=0.0005 ;;
    transform_like) echo --set nao=3,nmo=2,ng=2,work_s=0.0001 ;;
    ccsd_like) echo --set nvirt=2,nocc=2,cycles=2,work_s=0.0001 ;;
    esac
}

# sial RANKS OPTION...: a run that hangs ends with status 124.
sial() {
    if [ "$1" -gt 1 ]; then
        ranks "$1" "$program" "${@:2}" </dev/null
    else
        run_apart "$program" "${@:2}" </dev/null
    fi
}

# runs NAME WORKERS SERVERS OPTION...: the program passes.
runs() {
    local name=$1 workers=$2 servers=$3
    shift 3
    # shellcheck disable=SC2046
    sial $((workers + servers)) --program "$name" $(values "$name") --segment ao=3,mo=2,la=2 --workers "$workers" \
        --servers "$servers" -q "$@"
    [ "$status" -eq 0 ] && [[ $stderr == *"RESULT: PASS"* ]]
}

# fails_with RANKS TEXT OPTION...: a failure that is told in one sentence that has TEXT. Other ranks may fail as well, or
# be interrupted.
fails_with() {
    local ranks=$1 expected=$2
    shift 2
    sial "$ranks" "$@"
    [ "$status" -ne 0 ] && [ "$status" -ne 124 ]
    [[ $(grep '^RESULT: ' <<<"$stderr") == *"RESULT: FAIL "*"$expected"* ]]
    [[ $stderr != *"RESULT: PASS"* ]]
}

# A SIAL program from stdin, with declarations that the tests share.
write_sial() {
    {
        printf 'sial bad\naoindex i = 1:4\naoindex j = 1:4\naoindex far = 1:9\nindex n = 1:2\n'
        printf 'distributed a[i,j]\nserved s[i,j]\nlocal c[i,j]\ntemp t[i,j]\nscalar x\n'
        printf 'special compute_for r\nspecial assert_close rrr\nspecial fill_block_random wr\n'
        printf 'special assert_block rrr\nspecial assert_below rr\n'
        cat
        printf 'endsial bad\n'
    } >"$scratch/bad.sialx"
}

@test "every program holds with each setting somewhere" {
    [ -z "${DATAMOTION_FULL:-}" ] || skip "the cross product is run instead"
    while read -r name workers servers prefetch transport pardo compute; do
        runs "$name" "$workers" "$servers" --prefetch "$prefetch" --transport "$transport" --pardo "$pardo" \
            --compute "$compute"
    done <<'TABLE'
put_test 3 1 4 messages auto auto
put_test 2 2 0 window static host
put_test 1 1 16 window sequential auto
contraction_small 1 1 3 messages auto gpu
matrix_product 2 1 3 window balanced gpu
matrix_product 4 3 16 messages static auto
matrix_accumulate 3 2 3 messages auto host
matrix_accumulate 4 1 16 window fragmented auto
permute 2 1 3 messages auto gpu
permute 3 3 16 window balanced host
transform 3 1 16 messages auto auto
ao_ladder 2 1 3 window auto gpu
rank_k_update 3 1 3 messages static host
rank_k_update 4 2 16 window balanced gpu
sparse_product 3 1 3 messages auto host
sparse_product 2 3 0 window fragmented auto
served_arrays 3 2 3 messages auto host
served_arrays 1 1 0 window auto auto
power_iteration 4 1 3 window auto auto
jacobi 3 2 16 messages auto host
ccd 3 1 3 messages auto auto
ccd 2 2 16 window balanced gpu
scf_like 3 1 3 messages auto host
transform_like 3 1 16 window auto host
ccsd_like 3 2 3 messages auto host
product_check 1 1 0 messages auto host
super_instructions 4 1 0 messages auto auto
TABLE
}

@test "the table above names every program" {
    for file in prefetch/sialx/*.sialx; do
        name=$(basename "$file" .sialx)
        echo "$name"
        # shellcheck disable=SC2046
        grep -qE "^$name [1-4] " "$BATS_TEST_FILENAME"
        sial 1 --program "$name" --check-only $(values "$name")
        [ "$status" -eq 0 ]
    done
}

@test "every program holds with every setting" {
    [ -n "${DATAMOTION_FULL:-}" ] || skip "half an hour; DATAMOTION_FULL=1 runs it"
    for file in prefetch/sialx/*.sialx; do
        name=$(basename "$file" .sialx)
        for workers in 1 2 3 4; do
            for servers in 1 2 3; do
                for prefetch in 0 3 16; do
                    for transport in messages window; do
                        runs "$name" "$workers" "$servers" --prefetch "$prefetch" --transport "$transport"
                    done
                done
            done
        done
        for pardo in sequential static balanced fragmented; do
            for compute in host gpu auto; do
                runs "$name" 3 1 --pardo "$pardo" --compute "$compute"
            done
        done
    done
}

@test "results do not depend on the segments' length" {
    for segment in 1 2 7; do
        sial 3 --program matrix_product --set norb=3 --segment "$segment" -q
        [ "$status" -eq 0 ]
    done
}

@test "arrays several times as large as the servers' memory go to disk" {
    # 16 blocks of 6^4 doubles are 166 KB.
    mkdir "$scratch/spill"
    sial 3 --program served_arrays --set norb=2 --segment 6 --workers 2 --server-memory 40K --spill "$scratch/spill" --csv
    all_right 2
    holds 'c["loaded_bytes"] > 40000'
    [ -z "$(ls -A "$scratch/spill")" ]
}

@test "one row per repetition and worker; print goes to stderr" {
    sial 4 --program put_test --set norb=3,check=0 --segment 4 -n 2 --csv
    all_right 6
    [ "$(grep -c 'starting loop' <<<"$stderr")" -eq 2 ]
    sial 4 --program put_test --set norb=3,check=0 --segment 4 --csv -q
    [[ $stderr != *"starting loop"* ]]
}

@test "with and without prefetching the counters say so" {
    sial 2 --program put_test --set norb=4,check=0 --segment 4 --prefetch 0 --json -q
    jq -e '.results[0].samples[0] | .prefetches == 0 and .gets == 16 and .puts == 32' <<<"$output"
    sial 2 --program put_test --set norb=4,check=0 --segment 4 --prefetch 2 --json -q
    # Each of the 4 inner loops gets its first block itself.
    jq -e '.results[0].samples[0] | .gets == 4 and .prefetches == 12 and .unused_prefetches == 0' <<<"$output"
}

@test "statements may differ in how far they are ahead" {
    line=$(grep -n '^ *get a\[i,j\]' prefetch/sialx/put_test.sialx | head -n 1 | cut -d: -f1)
    sial 2 --program put_test --set norb=4,check=0 --segment 4 --prefetch 2 --site-prefetch "$line:0" --json -q
    [ "$status" -eq 0 ]
    jq -e '.results[0].samples[0].prefetches == 0' <<<"$output"
    write_sial <<<$'special set_prefetch r\ndo i\ndo j\nt[i,j] = 1.0\nput a[i,j] = t[i,j]\nenddo j\nenddo i
sip_barrier\nexecute set_prefetch 0\ndo i\ndo j\nget a[i,j]\nx = a[i,j] * a[i,j]\nenddo j\nenddo i'
    sial 2 --program "$scratch/bad.sialx" --segment 2 --prefetch 2 --json -q
    jq -e '.results[0].samples[0] | .prefetches == 0 and .gets == 16' <<<"$output"
    fails_with 2 "has no get or request" --program put_test --set norb=4,check=0 --site-prefetch 1:3
}

@test "events and blocks are traced" {
    sial 3 --program matrix_product --set norb=3 --segment 4 --prefetch 0 --trace "$scratch/events" \
        --block-trace "$scratch/blocks" -q
    [ "$status" -eq 0 ]
    for event in request arrive wait compute put barrier; do
        awk -v event="$event" '!/^#/ { if (NF != 7 || $2 > $3) exit 2; seen += $4 == event } END { exit !seen }' \
            "$scratch/events"
    done
    fails_with 3 "could not be created" --program matrix_product --set norb=2 --segment 4 --trace "$scratch/events" -q
    [ -s "$scratch/blocks" ]
    need_program pinning_cache
    run_apart "$bin/pinning_cache" --trace-file "$scratch/blocks" -n 1 -w 0
    [ "$status" -eq 0 ]
}

@test "a program can be compiled, disassembled, and the super instructions listed" {
    sial 1 --program put_test --set norb=2,check=1 --bytecode
    [ "$status" -eq 0 ]
    [[ $output == *put_test* ]]
    sial 2 --list-super
    [ "$status" -eq 0 ]
    [[ $output == *"fill_block_cyclic"* ]]
}

@test "a wrong command line is one sentence" {
    while IFS='|' read -r ranks options expected; do
        # shellcheck disable=SC2086
        fails_with "$ranks" "$expected" $options
        [ "$(grep '^RESULT: ' <<<"$stderr" | grep -vc 'interrupted by a signal')" -eq 1 ]
    done <<'TABLE'
2||no program was given
2|--program none_such|there is no SIAL program
1|--program put_test --set norb=2,check=1|mpirun -np 4
2|--program put_test --set norb=2,check=1 --workers 2|do not fit into 2 ranks
3|--program put_test --set norb=2,check=1 --workers 3 --servers 1|do not fit into 3 ranks
2|--program put_test --set norb=2,check=1 --transport pigeon|messages, window
2|--program put_test --set norb=2,check=1 --pardo none|unknown pardo 'none'; choose from auto, sequential
2|--program put_test --set norb=2,check=1 --compute none|unknown device 'none'; choose from host, gpu, auto
2|--program put_test --set norb=2,check=1 --segment 0|whole number from 1
2|--program put_test --set norb=2,check=1 --segment ho=3|unknown kind of index 'ho'; choose from ao, mo
2|--program put_test --set norb=2,check=1 --segment ao|is not a name
2|--program put_test --set norb|is not a name
2|--program put_test --set norb=x|is not a name
2|--program put_test --set norb=2,norb=3|twice
1|--program put_test --set norb=2,check=1,more=2|is not a SIAL program
1|--program put_test --set norb=2.5,check=1|is not a SIAL program
TABLE
}

@test "a mistake while running names the statement" {
    write_sial <<<$'pardo i, j\nget a[i,j]\nx = a[i,j] * a[i,j]\nendpardo i, j'
    fails_with 3 "bad.sialx:17: get a[i,j]" --program "$scratch/bad.sialx" --segment 2
    write_sial <<<$'do far\ndo j\nget a[far,j]\nenddo j\nenddo far'
    fails_with 3 "bad.sialx:18: get a[far,j]" --program "$scratch/bad.sialx" --segment 2
    write_sial <<<$'do i\ndo j\nx = c[i,j] * c[i,j]\nenddo j\nenddo i'
    fails_with 3 "bad.sialx:18: x = c[i,j]" --program "$scratch/bad.sialx" --segment 2
    write_sial <<<$'x = 1.0\nexecute assert_close x 2.0 0.1'
    fails_with 2 "bad.sialx:17: execute assert_close" --program "$scratch/bad.sialx"
    write_sial <<<$'do i\ndo j\nexecute fill_block_random t[i,j] 0.5\nenddo j\nenddo i'
    fails_with 2 "whole number" --program "$scratch/bad.sialx"
    write_sial <<<$'do i\ndo j\nt[i,j] = 1.0\nexecute assert_block t[i,j] t[j,i] 0.0\nt[i,j] = sqrt(-1.0)
execute assert_block t[i,j] t[i,j] 0.0\nenddo j\nenddo i'
    fails_with 2 "bad.sialx:21: execute assert_block" --program "$scratch/bad.sialx" --segment 2
    write_sial <<<$'execute assert_below 1.0 1.0'
    fails_with 2 "bad.sialx:16: execute assert_below" --program "$scratch/bad.sialx"
    write_sial <<<$'execute compute_for -1.0'
    fails_with 2 "out of range" --program "$scratch/bad.sialx"
}

@test "super instructions that are unknown or declared wrongly are refused" {
    printf 'sial bad\nspecial no_such_thing rw\nscalar x\nexecute no_such_thing 1.0 x\nendsial bad\n' >"$scratch/bad.sialx"
    fails_with 2 "no_such_thing" --program "$scratch/bad.sialx"
    printf 'sial bad\nspecial assert_close rr\nscalar x\nexecute assert_close 1.0 x\nendsial bad\n' >"$scratch/bad.sialx"
    fails_with 2 "assert_close" --program "$scratch/bad.sialx"
}

@test "two workers that put one block without a barrier between are told" {
    write_sial <<<$'pardo n\ndo i\ndo j\nt[i,j] = n\nput a[i,j] = t[i,j]\nenddo j\nenddo i\nendpardo n\nsip_barrier'
    for transport in messages window; do
        fails_with 3 "bad.sialx:20: put a[i,j]" --program "$scratch/bad.sialx" --segment 2 --transport $transport
    done
}

@test "a full disk is told, by the statement" {
    fails_with 2 "served_arrays.sialx:" --program served_arrays --set norb=2 --segment 6 --server-memory 40K \
        --spill-limit 20K
    [[ $stderr == *disk* ]]
    fails_with 2 "/no/such/folder" --program served_arrays --set norb=2 --segment 6 --server-memory 40K \
        --spill /no/such/folder
}

# start OPTION...: three workers and a server in the background; pid_of RANK.
start() {
    local launch=("${MPIRUN:-mpirun}" --oversubscribe --bind-to none)
    [ "$(id -u)" -ne 0 ] || launch+=(--allow-run-as-root)
    rm -f "$scratch/stderr" # of an earlier start, which was running, too
    "${launch[@]}" -np 4 "$program" --program "$scratch/bad.sialx" --segment 2 "$@" >"$scratch/stdout" 2>"$scratch/stderr" </dev/null &
    launcher=$!
    for _ in $(seq 100); do
        grep -qs running "$scratch/stderr" && return
        sleep 0.1
    done
    return 1
}
pid_of() {
    local pid
    for pid in $(pgrep -P "$launcher"); do
        tr '\0' '\n' <"/proc/$pid/environ" | grep -qx "OMPI_COMM_WORLD_RANK=$1" && echo "$pid"
    done
}
all_left() {
    status=0
    for _ in $(seq 300); do
        kill -0 "$launcher" 2>/dev/null || break
        sleep 0.1
    done
    if kill -0 "$launcher" 2>/dev/null; then
        kill -KILL "$launcher"
        return 1
    fi
    wait "$launcher" || status=$?
    cat "$scratch/stderr"
    [ "$status" -ne 0 ]
    for _ in $(seq 50); do
        # A process that nobody waited for is a zombie.
        ps -o stat= -p "$(IFS=,; echo "$*")" | grep -qv '^Z' || return 0
        sleep 0.1
    done
    return 1
}

# Gets forever, as far as the test is concerned.
write_long() {
    write_sial <<<$'pardo i, j\nt[i,j] = 1.0\nput a[i,j] = t[i,j]\nendpardo i, j\nsip_barrier\nprint "running"
do far\ndo i\ndo j\nget a[i,j]\nx = a[i,j] * a[i,j]\nexecute compute_for 0.3\nenddo j\nenddo i\nenddo far'
}

@test "when a worker or a server is killed, all ranks leave" {
    write_long
    for rank in 1 3; do
        start
        others=$(pgrep -P "$launcher")
        kill -KILL "$(pid_of $rank)"
        # shellcheck disable=SC2086
        all_left $others
    done
}

@test "a server that does not reply is an error at the waiting statement, within the limit" {
    write_long
    start --wait-limit 5
    others=$(pgrep -P "$launcher")
    kill -STOP "$(pid_of 3)"
    # shellcheck disable=SC2086
    all_left $others
    grep -E "RESULT: FAIL .*bad.sialx:2[0-9]: " "$scratch/stderr"
}
