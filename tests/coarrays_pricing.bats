# coarrays/: options priced by several images: what is refused, right prices of all ways, and runs that are killed and go on.

load helper

setup() {
    need_program coarrays_pricing
    export ASAN_OPTIONS=${ASAN_OPTIONS:-detect_leaks=0} # MPI keeps what it has
}

once=(-n 1 -w 0 --csv)
small=(--options 24 --paths 5000 --steps 8 --threads 1)
logged=(--options 60 --paths 100000 --steps 16 --threads 1 "${once[@]}")

# on IMAGES OPTIONS...: as ranks.
on() {
    ranks "$1" "$bin/coarrays_pricing" "${@:2}"
}

# lines FILE: options that are in a log.
lines() {
    tail -n +2 "$1" 2>/dev/null | grep -cE ' [0-9a-f]{16}$' || true
}

# prices FILE: those of a log, in the order of the options.
prices() {
    tail -n +2 "$1" | grep -aE ' [0-9a-f]{16}$' | sort -n
}

@test "bad options end with exit 1 and one sentence" {
    refuses_all <<'TABLE'
coarrays_pricing|--threads 1,x|not a list of whole numbers
coarrays_pricing|--steps 6|6 steps: the number must be a multiple of 4
coarrays_pricing|--progress manual,often|unknown progress 'often'; choose from manual, thread, none
coarrays_pricing|--per-request 1,,2|has an empty entry
coarrays_pricing|--learning 0|the numbers must be within 1..
coarrays_pricing|--options 0|out of range: it must be from 1 to 1048576
coarrays_pricing|--paths 1|out of range: it must be from 2 to 4294967296
coarrays_pricing|--gpu-images 5000|out of range: it must be from 0 to 4096
coarrays_options|--options 1,x|not a list of whole numbers
coarrays_options|--threads 0|the numbers must be within 1..1024
coarrays_options|--steps 6|6 steps: the number must be a multiple of 4
TABLE
}

@test "what all images see is one sentence, and the job ends" {
    local price="--variants caf-mt -n 1 -w 0 --options 2 --paths 100 --csv"
    echo "something else" >"$scratch/other"
    # The rows of the last one begin before its log is full.
    while IFS='|' read -r images options expected; do
        # shellcheck disable=SC2086
        on "$images" $options </dev/null
        [ "$status" -eq 1 ]
        [ -z "$(cells status)" ]
        [ "$(grep -c "^RESULT: FAIL .*$expected" <<<"$stderr")" -eq 1 ]
    done <<TABLE
2|--threads 1,2,1|there are 2 CPU images
2|--gpu-images 2|the first must be a CPU image
2|--log $scratch/log|needs a single run
2|--log $scratch $price|cannot be opened
2|--log $scratch/other $price|belongs to other options
1|--log /dev/full $price|cannot be written
TABLE
    [ "$(cat "$scratch/other")" = "something else" ]
    [ ! -e "$scratch/log" ]
}

@test "options: a variant that takes too long is measured with no more of them, and says so" {
    run_apart "$bin/coarrays_options" --options 1,2,4 --threads 1,2 --variants mo-cpu,mt-gpu --paths 256 --steps 8 --longest 0 "${once[@]}"
    set_waived_aside
    all_right 3
    [ "$(values options)" = 1 ]
    [ "$(grep -c "more than 1 options.* are left out, as these take .* longer than --longest 0" <<<"$stderr")" -eq 3 ]
}

@test "a GPU without room for the options is told" {
    [ "${GPU:-soft}" = soft ] || skip "a real GPU has more"
    SOFTGPU_MEMORY=16M run_apart "$bin/coarrays_options" --options 1 --paths 4294967296 --variants mt-gpu "${once[@]}"
    [ "$status" -eq 1 ]
    [[ $stderr == *"RESULT: FAIL "*" bytes of device memory are not available"* ]]
}

@test "threads that hand out, compute and ask MPI for progress lose nothing: 1, 2 and 3 images" {
    need_program pricing_ranks_test
    export OMP_WAIT_POLICY=passive # images share cores
    for images in 1 2 3; do
        ranks "$images" "$tests/pricing_ranks_test"
        all_checks 9
    done
}

@test "every way, size and progress strategy prices each option once" {
    on 2 "${small[@]}" "${once[@]}" --progress manual,thread,none --per-request 0,1,3 --learning 1,2
    all_right 27
    holds 'c["idle_s"] >= 0 && c["maximum_values"] > 0 && c["communication_s"] >= c["communication_last_s"]'
    holds 'c["learning_phases"] == 0 || c["per_request"] == 0'
    # The boss hands out one at a time, and each image is told once that none is left.
    holds 'c["variant"] != "mpi-mt" || (c["requests"] == 26 && c["per_request"] == 1)'
    [ "$(cells per_request_last 'c["variant"] == "caf-mth"' | sort -u)" = 8 ]
    of_size='c["variant"] == "caf-mt" && c["progress"] == "none" && c["per_request"] =='
    [ "$(cells requests "$of_size 3")" -lt "$(cells requests "$of_size 1")" ]
}

@test "one image, and three of different strength" {
    on 1 --options 3 --paths 5000 --steps 8 "${once[@]}"
    all_right
    holds 'c["idle_ratio"] < 1 && c["images"] == 1'
    on 3 --options 24 --paths 5000 --steps 8 --threads 1,2,1 --per-request 0,2 "${once[@]}"
    echo "$output"
    [ "$status" -eq 0 ]
    [ "$(grep -c ',"1,2,1",.*,0,pass$' <<<"$output")" -eq 5 ]
}

@test "CPU images and a GPU image price the same bits" {
    on 3 "${small[@]}" "${once[@]}" --gpu-images 1 --per-request 0,2
    all_right
    holds 'c["gpu_images"] == 1 && c["images"] == 3'
}

@test "a run that is killed goes on and loses no option" {
    on 1 "${logged[@]}" --variants caf-mt -c 0 --log "$scratch/whole"
    all_right
    [ "$(lines "$scratch/whole")" -eq 60 ]

    # A run that is over before it can be killed is started again.
    set_launch 2
    for ((try = 0, finished = 60; try < 20 && finished == 60; try++)); do
        rm -f "$scratch/log"
        rm -f "$scratch/images"
        # shellcheck disable=SC2016 # each image notes its process
        timeout 300 "${launch[@]}" sh -c 'echo $$ >>"$0"; exec "$@"' "$scratch/images" \
            "$bin/coarrays_pricing" "${logged[@]}" --variants caf-mth -c 0 --log "$scratch/log" >"$scratch/out" 2>&1 &
        job=$!
        for ((i = 0; i < 6000 && $(lines "$scratch/log") < 5; i++)); do sleep 0.01; done
        kill -9 "$(tail -n 1 "$scratch/images")" || true
        status=0
        wait "$job" || status=$?
        finished=$(lines "$scratch/log")
        echo "$finished options were finished"
    done
    [ "$status" -ne 0 ]
    [ "$finished" -ge 5 ]
    [ "$finished" -lt 60 ]

    # The last line is cut, and one within is damaged: both are priced again, by other images.
    truncate -s -7 "$scratch/log"
    sed -i '5s/0x1/0x2/' "$scratch/log"
    kept=$(($(lines "$scratch/log") - 1))
    on 3 "${logged[@]}" --variants mpi-mt --log "$scratch/log"
    all_right
    [[ $stderr == *"$kept of 60 options are in"* ]]
    [ "$(cells requests)" -eq $((60 - kept + 3)) ]
    cmp <(prices "$scratch/whole") <(prices "$scratch/log" | grep -v 0x2)

    on 2 "${logged[@]}" --variants caf-mt -c 0 --log "$scratch/log"
    all_right
    [[ $stderr == *"60 of 60 options are in"* ]]
    [ "$(cells requests)" -eq 2 ]
    on 2 "${logged[@]}" --variants caf-mt --log "$scratch/log" --seed 7
    [ "$status" -eq 1 ]
    [[ $stderr == *"belongs to other options"* ]]
}

@test "a log whose first line was cut" {
    printf 'asian opt' >"$scratch/log"
    on 2 "${small[@]}" "${once[@]}" --variants caf-mt --log "$scratch/log"
    all_right
    [ "$(head -n 1 "$scratch/log")" = "asian options 24 paths 5000 steps 8 seed 1" ]
    [ "$(lines "$scratch/log")" -eq 24 ]
}

# Whatever stops the compiler costs a factor of ten and no bit: with fortified headers GCC 13 stopped at memcpy() (and
# without them, too, at a union).
@test "paths on the CPU are SIMD code, with fortified headers as without" {
    [ "$(uname -m)" = x86_64 ] || skip "the instructions are those of x86-64"
    for fortify in 0 2; do
        "${CC:-gcc}" -std=c11 -D_GNU_SOURCE -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=$fortify -O3 -fopenmp -fPIC -I. -Icommon/include -Icommon/soft/include \
            -c coarrays/hetero/asian_host.c -o "$scratch/asian_host.o"
        objdump -d --no-show-raw-insn "$scratch/asian_host.o" | sed -n '/<walk_tile_avx2[^>]*>:/,/^$/p' >"$scratch/walk"
        echo "fortified $fortify: $(grep -c 'vfn\?madd.*ps .*%ymm' "$scratch/walk") of SIMD, $(grep -c 'vfn\?madd.*ss ' "$scratch/walk") of single numbers"
        [ "$(grep -c 'vfn\?madd.*ps .*%ymm' "$scratch/walk")" -gt 30 ]
        [ "$(grep -c 'vfn\?madd.*ss ' "$scratch/walk")" -eq 0 ]
    done
}

@test "lines of other options count for nothing, and zeros hide no others" {
    of() {
        on 2 --options 24 --paths 5000 --steps 8 --threads 1 "${once[@]}" --variants caf-mt --log "$@"
        all_right
    }
    of "$scratch/other" --seed 2
    of "$scratch/whole"
    { head -n 1 "$scratch/whole"; prices "$scratch/other"; } >"$scratch/log"
    of "$scratch/log"
    [[ $stderr == *"0 of 24 options are in"* ]]
    # As a host that lost its power may leave a file: half of one line is zeros.
    { head -n 5 "$scratch/whole"; printf '17 0x1.8\0\0\0\0'; } >"$scratch/log"
    of "$scratch/log"
    [[ $stderr == *"4 of 24 options are in"* ]]
    of "$scratch/log"
    [[ $stderr == *"24 of 24 options are in"* ]]
    cmp <(prices "$scratch/whole") <(prices "$scratch/log")
}

@test "two runs at once on one log" {
    set_launch 2
    for run in 1 2; do
        timeout 300 "${launch[@]}" "$bin/coarrays_pricing" "${logged[@]}" --variants caf-mt --log "$scratch/log" \
            >"$scratch/out$run" 2>"$scratch/stderr$run" &
        jobs[run]=$!
    done
    for run in 1 2; do
        status=0
        wait "${jobs[run]}" || status=$?
        output=$(cat "$scratch/out$run") stderr=$(cat "$scratch/stderr$run")
        all_right
    done
    [ "$(prices "$scratch/log" | sort -u | wc -l)" -eq 60 ]
}
