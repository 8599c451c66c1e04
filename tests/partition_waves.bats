#!/usr/bin/env bats
# partition_waves and partition_kernels: single kernels on one device, and the claims that are judged by them.
# shellcheck disable=SC2154

bats_require_minimum_version 1.5.0

setup() {
    cd "$BATS_TEST_DIRNAME/.." || exit 1
    [ "${GPU:-soft}" = soft ] || skip "numbers of blocks are those of the software GPU"
    bin=${BIN:-$PWD/build/soft/bin}
    once=(-n 1 -w 0 --csv -q)
    scratch=$BATS_TEST_TMPDIR
}

# The values of column $1 of the CSV in $output, of rows where column $2 is $3, on one line.
column() {
    awk -F, -v name="$1" -v where="${2:-}" -v wanted="${3:-}" '
        NR == 1 { for (i = 1; i <= NF; i++) place[$i] = i }
        NR > 1 && (where == "" || $place[where] == wanted) { printf "%s%s", between, $place[name]; between = " " }' <<<"$output"
}

# nbody.so in folder $1, changed by the sed script $2.
broken_module() {
    mkdir -p "$1"
    sed "$2" partition/kernels/nbody.cu >"$1/nbody.cu"
    run ! cmp -s "$1/nbody.cu" partition/kernels/nbody.cu
    common/soft/module-source "$1/nbody.cu" >"$1/nbody.cc"
    "${CXX:-g++}" -std=c++17 -O1 -fPIC -pthread -DSOFTGPU -I. -Icommon/include -Ipartition/include -Icommon/soft/include -fno-gnu-unique -shared -Wl,-Bsymbolic -x c++ "$1/nbody.cc" -o "$1/nbody.so"
}

@test "waves: one block, one on each multiprocessor, half and full waves, and one more" {
    SOFTGPU_SMS=2 run -0 --separate-stderr "$bin/partition_waves" --bodies 64 "${once[@]}"
    [ "$(column blocks)" = "1 2 3 4 8 9 16 17" ]
    [ "$(column waves)" = "1 1 1 1 1 2 2 3" ]
    [ "$(column capacity blocks 17)" = 8 ]
    [ "$(column multiprocessors blocks 17)" = 2 ]
    [ "$(column errors)" = "0 0 0 0 0 0 0 0" ]
}

@test "waves: more numbers are added once each; more bodies than threads and the other way round" {
    SOFTGPU_SMS=1 run -0 --separate-stderr "$bin/partition_waves" --bodies 3000 --block 32 --waves 3 --blocks 4,6..7 "${once[@]}"
    [ "$(column blocks)" = "1 2 4 5 6 7 8 9 12 13" ]
    [ "$(column block_threads blocks 13)" = 32 ]
    [ "$(column status | tr ' ' '\n' | sort -u)" = pass ]
    SOFTGPU_SMS=1 run -0 --separate-stderr "$bin/partition_waves" --bodies 2 "${once[@]}"
    [ "$(column status | tr ' ' '\n' | sort -u)" = pass ]
}

@test "kernels: threads of the launch, elements that it changed" {
    run -0 --separate-stderr "$bin/partition_kernels" --cases matmul:48,stencil:50,nbody:256 "${once[@]}"
    [ "$(column variant)" = "mat_mul stencil5p update_velocities update_positions" ]
    [ "$(column block_threads)" = "256 1024 128 128" ]
    [ "$(column threads)" = "2304 4096 256 256" ]
    [ "$(column outputs)" = "2304 2304 256 256" ]
    [ "$(column errors)" = "0 0 0 0" ]
}

@test "kernels: what the software GPU does not know is empty, as is what was not counted" {
    run -0 --separate-stderr "$bin/partition_kernels" --cases nbody:128 --variants update_positions -c 0 "${once[@]}"
    [ "$(column variant)" = update_positions ]
    [ -z "$(column shared_bytes)" ]
    [ -z "$(column outputs)" ]
}

@test "a kernel that computes something else, or too little, is found" {
    broken_module "$scratch/off" 's/vel_z\[id\] += sum_z \* dt/vel_z[id] += 1.01f * sum_z * dt/'
    run -1 --separate-stderr "$bin/partition_kernels" --modules "$scratch/off" --cases nbody:128 "${once[@]}"
    [ "$(column status variant update_velocities)" = fail ]
    [ "$(column status variant update_positions)" = pass ]
    run -1 --separate-stderr "$bin/partition_waves" --modules "$scratch/off" --bodies 64 "${once[@]}"
    [ "$(column status | tr ' ' '\n' | sort -u)" = fail ]

    broken_module "$scratch/less" 's/if (id < N)/if (id < N - 1)/'
    run -1 --separate-stderr "$bin/partition_kernels" --modules "$scratch/less" --cases nbody:128 --variants update_positions "${once[@]}"
    [ "$(column outputs)" = 127 ]
    [ "$(column errors)" -ge 1 ]
}

@test "words that mean nothing end with one sentence and nothing is measured" {
    while IFS='|' read -r program options expected; do
        # shellcheck disable=SC2086
        run -1 --separate-stderr "$bin/$program" $options
        echo "$program $options: $stderr"
        [ -z "$output" ]
        [[ $stderr == "RESULT: FAIL "*"$expected"* ]]
        [ "$(wc -l <<<"$stderr")" -eq 1 ]
    done <<'TABLE'
partition_waves|--waves 0|must be from 1 to 64
partition_waves|--bodies 1|must be from 2
partition_waves|--block 1025|must be from 1 to 1024
partition_waves|--blocks 0|within 1..
partition_waves|--blocks many|not a list of whole numbers
partition_waves|-d 9|numbered from 0
partition_kernels|--cases nothing:8|there is matmul, stencil and nbody
partition_kernels|--cases nbody|is not name:size
partition_kernels|--cases nbody:|is not name:size
partition_kernels|--cases nbody:0|is not name:size
partition_kernels|--cases nbody:8G|is not name:size
partition_kernels|--cases nbody:100|must be a multiple of 128
partition_kernels|--cases matmul:24|must be a multiple of 16
partition_kernels|--cases stencil:46341|at most 46340
TABLE
}

@test "a folder without modules and a device that is lost are errors that say so" {
    run -1 --separate-stderr "$bin/partition_waves" --modules "$scratch/none" "${once[@]}"
    [[ $stderr == *"$scratch/none/./nbody.so"* ]]
    [[ $stderr == *"RESULT: FAIL update_velocities: the CUDA driver's error"* ]]
    SOFTGPU_FAIL_AFTER=40 run -1 --separate-stderr "$bin/partition_waves" --bodies 64 "${once[@]}"
    [[ $stderr == *"RESULT: FAIL update_velocities: the CUDA driver's error"* ]]
    SOFTGPU_DEVICES=0 run -2 --separate-stderr "$bin/partition_kernels" "${once[@]}"
}

# ---- claims ----

# A data base as of a GPU with 4 multiprocessors that holds 16 blocks, kernels of three programs.
measured_machine() {
    database=$scratch/results.db
    sqlite3 -bail "$database" <<'SQL'
CREATE TABLE machine(name, value);
INSERT INTO machine VALUES ('device0_kind', 'cuda');
CREATE TABLE partition_waves_median(variant, blocks, capacity, multiprocessors, time_s, time_low_s, time_high_s);
INSERT INTO partition_waves_median SELECT 'blocks', column1, 16, 4, column2, 0.99 * column2, 1.01 * column2
  FROM (VALUES (1, 1.0), (4, 1.0), (5, 1.1), (16, 1.05), (17, 2.0));
CREATE TABLE partition_kernels_median(variant, application, size, threads, outputs, shared_bytes, time_s, time_low_s, time_high_s);
INSERT INTO partition_kernels_median SELECT column1, column2, column3, column4, column5, 0, column6, 0.9 * column6, 1.1 * column6
  FROM (VALUES ('mat_mul', 'matmul', 64, 4096, 4096, 1e-3), ('stencil5p', 'stencil', 64, 4096, 3844, 1e-3),
               ('update_velocities', 'nbody', 4096, 4096, 4096, 1e-4), ('update_positions', 'nbody', 4096, 4096, 4096, 1e-5),
               ('update_velocities', 'nbody', 65536, 65536, 65536, 1e-2), ('update_positions', 'nbody', 65536, 65536, 65536, 1e-5));
SQL
}

# The verdict of claim $1 after the statement $2: ok, `ambiguous` where that is NULL.
verdict() {
    measured_machine
    sqlite3 -bail "$database" "$2"
    sqlite3 -bail -nullvalue ambiguous "$database" <tests/claims/klein-waves.sql | awk -F'|' -v id="$1" '$1 == id { print $4 }'
    rm "$database"
}

@test "claims: a wave costs what a block does, and one block more a further wave" {
    slower='UPDATE partition_waves_median SET time_s = f * time_s, time_low_s = f * time_low_s, time_high_s = f * time_high_s WHERE blocks ='
    [ "$(verdict klein-c-046 '')" = 1 ]
    [ "$(verdict klein-c-046 "${slower//f \*/1.5 *} 16")" = 0 ]
    [ "$(verdict klein-c-046 "${slower//f \*/0.6 *} 17")" = 0 ]
    [ "$(verdict klein-c-046 "UPDATE partition_waves_median SET time_high_s = 1.2 WHERE blocks = 16")" = ambiguous ]
    [ "$(verdict klein-c-046 "UPDATE partition_waves_median SET time_low_s = 1.5 WHERE blocks = 17")" = ambiguous ]
    [ "$(verdict klein-c-046 "UPDATE machine SET value = 'soft'")" = waived ]
    [ -z "$(verdict klein-c-046 "DELETE FROM partition_waves_median WHERE blocks = 17")" ]
}

@test "claims: positions take a fiftieth of the time of velocities, from 65536 bodies on" {
    positions="variant = 'update_positions' AND size = 65536"
    [ "$(verdict klein-c-047 '')" = 1 ]
    [ "$(verdict klein-c-047 "UPDATE partition_kernels_median SET time_low_s = 3e-4, time_high_s = 4e-4 WHERE $positions")" = 0 ]
    [ "$(verdict klein-c-047 "UPDATE partition_kernels_median SET time_high_s = 4e-4 WHERE $positions")" = ambiguous ]
    [ "$(verdict klein-c-047 "DELETE FROM partition_kernels_median WHERE size = 65536")" = waived ]
    [ "$(verdict klein-c-047 "UPDATE machine SET value = 'soft'")" = waived ]
}

@test "claims: a thread for each element and no shared memory, in all three programs" {
    [ "$(verdict klein-c-119 '')" = 1 ]
    [ "$(verdict klein-c-119 "UPDATE partition_kernels_median SET shared_bytes = 2048 WHERE variant = 'mat_mul'")" = 0 ]
    [ "$(verdict klein-c-119 "UPDATE partition_kernels_median SET threads = 3843 WHERE variant = 'stencil5p'")" = 0 ]
    [ "$(verdict klein-c-119 "UPDATE partition_kernels_median SET shared_bytes = NULL")" = waived ]
    [ "$(verdict klein-c-119 "UPDATE partition_kernels_median SET outputs = NULL WHERE variant = 'mat_mul'")" = waived ]
    [ "$(verdict klein-c-119 "DELETE FROM partition_kernels_median WHERE application = 'stencil'")" = waived ]
}
