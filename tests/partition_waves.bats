# partition_waves and partition_kernels: single kernels on one device, and the claims that are judged by them.
load helper

setup() {
    [ "${GPU:-soft}" = soft ] || skip "numbers of blocks are those of the software GPU"
}

# Runs a program for one repetition.
alone() {
    run_apart "$bin/$1" "${once[@]}" -q "${@:2}"
}

# The values of column $1, of rows where column $2 is $3, on one line.
line() {
    cells "$1" "${2:+c[\"$2\"] == \"$3\"}" | paste -sd ' '
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
    SOFTGPU_SMS=2 alone partition_waves --bodies 64
    [ "$status" -eq 0 ]
    [ "$(line blocks)" = "1 2 3 4 8 9 16 17" ]
    [ "$(line waves)" = "1 1 1 1 1 2 2 3" ]
    [ "$(line capacity blocks 17)" = 8 ]
    [ "$(line multiprocessors blocks 17)" = 2 ]
    [ "$(line errors)" = "0 0 0 0 0 0 0 0" ]
}

@test "waves: more numbers are added once each; more bodies than threads and the other way round" {
    SOFTGPU_SMS=1 alone partition_waves --bodies 3000 --block 32 --waves 3 --blocks 4,6..7
    [ "$status" -eq 0 ]
    [ "$(line blocks)" = "1 2 4 5 6 7 8 9 12 13" ]
    [ "$(line block_threads blocks 13)" = 32 ]
    [ "$(line status | tr ' ' '\n' | sort -u)" = pass ]
    SOFTGPU_SMS=1 alone partition_waves --bodies 2
    [ "$status" -eq 0 ]
    [ "$(line status | tr ' ' '\n' | sort -u)" = pass ]
}

@test "kernels: threads of the launch, elements that it changed" {
    alone partition_kernels --cases matmul:48,stencil:50,nbody:256
    [ "$status" -eq 0 ]
    [ "$(line variant)" = "mat_mul stencil5p update_velocities update_positions" ]
    [ "$(line block_threads)" = "256 1024 128 128" ]
    [ "$(line threads)" = "2304 4096 256 256" ]
    [ "$(line outputs)" = "2304 2304 256 256" ]
    [ "$(line errors)" = "0 0 0 0" ]
}

@test "kernels: what the software GPU does not know is empty, as is what was not counted" {
    alone partition_kernels --cases nbody:128 --variants update_positions -c 0
    [ "$status" -eq 0 ]
    [ "$(line variant)" = update_positions ]
    [ -z "$(line shared_bytes)" ]
    [ -z "$(line outputs)" ]
}

@test "a kernel that computes something else, or too little, is found" {
    broken_module "$scratch/off" 's/vel_z\[id\] += sum_z \* dt/vel_z[id] += 1.01f * sum_z * dt/'
    alone partition_kernels --modules "$scratch/off" --cases nbody:128
    [ "$status" -eq 1 ]
    [ "$(line status variant update_velocities)" = fail ]
    [ "$(line status variant update_positions)" = pass ]
    alone partition_waves --modules "$scratch/off" --bodies 64
    [ "$status" -eq 1 ]
    [ "$(line status | tr ' ' '\n' | sort -u)" = fail ]

    broken_module "$scratch/less" 's/if (id < N)/if (id < N - 1)/'
    alone partition_kernels --modules "$scratch/less" --cases nbody:128 --variants update_positions
    [ "$status" -eq 1 ]
    [ "$(line outputs)" = 127 ]
    [ "$(line errors)" -ge 1 ]
}

@test "words that mean nothing end with one sentence and nothing is measured" {
    refuses_all <<'TABLE'
partition_waves|--waves 0|must be from 1 to 64
partition_waves|--bodies 1|must be from 2
partition_waves|--block 1025|must be from 1 to 1024
partition_waves|--blocks 0|within 1..
partition_waves|--blocks many|not a list of whole numbers
partition_waves|-d 9|numbered from 0
partition_kernels|--cases nothing:8|unknown application 'nothing'; choose from matmul, stencil, nbody
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
    alone partition_waves --modules "$scratch/none"
    [ "$status" -eq 1 ]
    [[ $stderr == *"$scratch/none/./nbody.so"* ]]
    [[ $stderr == *"RESULT: FAIL update_velocities: the CUDA driver's error"* ]]
    SOFTGPU_FAIL_AFTER=40 alone partition_waves --bodies 64
    [ "$status" -eq 1 ]
    [[ $stderr == *"RESULT: FAIL update_velocities: the CUDA driver's error"* ]]
    SOFTGPU_DEVICES=0 alone partition_kernels 
    [ "$status" -eq 2 ]
}

# ---- claims ----

# A data base as of a GPU with 4 multiprocessors that holds 16 blocks, kernels of three programs.
measured_machine() {
    database=$scratch/claims/results.db
    mkdir -p "${database%/*}"
    run/collect "${database%/*}"
    sqlite3 -bail "$database" <<'SQL'
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

# The verdict of claim $1 after the statement $2.
verdict() {
    measured_machine
    sqlite3 -bail "$database" "$2"
    build/tools/check "$PWD" "${database%/*}" -q
    sqlite3 "$database" "SELECT verdict FROM verdicts WHERE id = '$1'"
    rm "$database"
}

@test "claims: a wave costs what a block does, and one block more a further wave" {
    slower='UPDATE partition_waves_median SET time_s = f * time_s, time_low_s = f * time_low_s, time_high_s = f * time_high_s WHERE blocks ='
    [ "$(verdict klein-c-046 '')" = reproduced ]
    [ "$(verdict klein-c-046 "${slower//f \*/1.5 *} 16")" = "not reproduced" ]
    [ "$(verdict klein-c-046 "${slower//f \*/0.6 *} 17")" = "not reproduced" ]
    [ "$(verdict klein-c-046 "UPDATE partition_waves_median SET time_high_s = 1.2 WHERE blocks = 16")" = ambiguous ]
    [ "$(verdict klein-c-046 "UPDATE partition_waves_median SET time_low_s = 1.5 WHERE blocks = 17")" = ambiguous ]
    [ "$(verdict klein-c-046 "UPDATE machine SET value = 'soft'")" = waived ]
    [ "$(verdict klein-c-046 "DELETE FROM partition_waves_median WHERE blocks = 17")" = pending ]
}

@test "claims: positions take a fiftieth of the time of velocities, from 65536 bodies on" {
    positions="variant = 'update_positions' AND size = 65536"
    [ "$(verdict klein-c-047 '')" = reproduced ]
    [ "$(verdict klein-c-047 "UPDATE partition_kernels_median SET time_s = 3.5e-4, time_low_s = 3e-4, time_high_s = 4e-4 WHERE $positions")" = "not reproduced" ]
    [ "$(verdict klein-c-047 "UPDATE partition_kernels_median SET time_high_s = 4e-4 WHERE $positions")" = ambiguous ]
    [ "$(verdict klein-c-047 "DELETE FROM partition_kernels_median WHERE size = 65536")" = waived ]
    [ "$(verdict klein-c-047 "UPDATE machine SET value = 'soft'")" = waived ]
}

@test "claims: a thread for each element and no shared memory, in all three programs" {
    [ "$(verdict klein-c-119 '')" = reproduced ]
    [ "$(verdict klein-c-119 "UPDATE partition_kernels_median SET shared_bytes = 2048 WHERE variant = 'mat_mul'")" = "not reproduced" ]
    [ "$(verdict klein-c-119 "UPDATE partition_kernels_median SET threads = 3843 WHERE variant = 'stencil5p'")" = "not reproduced" ]
    [ "$(verdict klein-c-119 "UPDATE partition_kernels_median SET shared_bytes = NULL")" = waived ]
    [ "$(verdict klein-c-119 "UPDATE partition_kernels_median SET outputs = NULL WHERE variant = 'mat_mul'")" = waived ]
    [ "$(verdict klein-c-119 "DELETE FROM partition_kernels_median WHERE application = 'stencil'")" = waived ]
}
