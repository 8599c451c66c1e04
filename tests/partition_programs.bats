# partition: programs for one GPU give the same bits on any number of devices, linked with the run
# time or started with it; what cannot be split runs on one device, with the reason.

load helper

setup_file() {
    [ "${GPU:-soft}" = soft ] || return 0
    export programs=$bin/../partition
    local program sanitizer=()
    [[ $programs != *-address* ]] || sanitizer=('-fsanitize=address,undefined')
    for program in driver_calls thread_calls; do
        "${CC:-gcc}" -std=c11 -D_GNU_SOURCE -Wall -Wextra -Werror -DSOFTGPU -I. -Icommon/include -Ipartition/include -Icommon/soft/include tests/partition/$program.c "${sanitizer[@]}" \
            -Wl,--whole-archive "$bin/../lib/libinterpose.a" -Wl,--no-whole-archive "$bin/../lib/libsoftcuda.so" -Wl,-rpath,"$bin/../lib" \
            "$bin/../lib/libpartition.a" "$bin/../lib/libcommon.a" -lisl -ldl -lpthread -o "$BATS_FILE_TMPDIR/$program"
    done
}

setup() {
    [ "${GPU:-soft}" = soft ] || skip "sizes are for the software GPU"
    calls=$BATS_FILE_TMPDIR/driver_calls
    export SOFTGPU_MEMORY=64M PARTITION_STATISTICS=$scratch/statistics
}

# Runs a command on $1 devices; stderr in $stderr. LD_PRELOAD may be set: bats' run would start its own programs with it.
on_devices() {
    status=0
    SOFTGPU_DEVICES=$1 timeout 300 "${@:2}" >/dev/null 2>"$scratch/stderr" || status=$?
    stderr=$(<"$scratch/stderr")
    echo "$* status $status: $stderr"
}

# A number of the statistics of the last run.
count() {
    awk -v name="$1" '$1 == name { print $2 }' "$scratch/statistics"
}

# What driver_calls does in the case $2 on $1 devices is what it does in the case $3 or $2 without the run time.
same_calls() {
    local expected=$scratch/expected-${3:-$2}
    if [ ! -e "$expected" ]; then
        PARTITION_OFF=1 on_devices 1 "$calls" "${3:-$2}" "${modules:-$programs}" "$expected"
        [ "$status" -eq 0 ]
    fi
    on_devices "$1" "$calls" "$2" "${modules:-$programs}" "$scratch/result"
    [ "$status" -eq 0 ]
    cmp "$expected" "$scratch/result"
}

# The application $1 with options is the same on each number of devices as without the run time.
same_program() {
    rm -f "$scratch/expected"
    on_devices 1 "$programs/$1" "${@:2}" --output "$scratch/expected"
    [ "$status" -eq 0 ]
    for devices in ${numbers:-1 2 3 5 8 16}; do
        rm -f "$scratch/result" "$scratch/statistics"
        on_devices "$devices" env "LD_PRELOAD=${preload:+$preload:}$programs/libpartition.so" "$programs/$1" "${@:2}" --output "$scratch/result"
        [ "$status" -eq 0 ]
        cmp "$scratch/expected" "$scratch/result"
        local statistics
        statistics=$(<"$scratch/statistics")
        [[ $statistics == *$'\nlaunches '[1-9]* ]]
        [[ $statistics == *$'\none_device '"${one_device:-0}"$'\n'* ]]
    done
}

# A shared object that is built with AddressSanitizer needs its run time before all others.
find_preload() {
    preload=
    [[ $programs != *-address* ]] || preload=$("${CC:-gcc}" -print-file-name=libasan.so)
}

@test "applications give the same bits on 1, 2, 3, 5, 8 and 16 devices (LD_PRELOAD)" {
    find_preload
    same_program matmul --n 64
    same_program matmul_rows --n 70
    same_program matmul_tiled --n 48
    same_program stencil --n 150 --iterations 5
    same_program stencil9 --n 100 --iterations 4
    same_program nbody --n 256 --iterations 3
    same_program nbody_soft --n 256 --iterations 2
    same_program stencil3d --n 24 --iterations 3
    same_program conv2d --n 90
    same_program reduction --n 4096
    same_program chain --n 4000 --iterations 4
    same_program refine --n 3000
    same_program histogram --n 2000 --iterations 1
    PARTITION_ATOMICS=none one_device=1 numbers='2 3' same_program histogram --n 2000 --iterations 1
}

@test "settings change how the bits come about, not the bits" {
    find_preload
    numbers=3
    for setting in HTOD=broadcast HTOD=lazy ACCESS=rows ACCESS=points SPLIT=x COALESCE=0 READ_WHOLE=1 CACHE=0 SPANS=1 PULL_BYTES=0 PULL_BYTES=300; do
        export "PARTITION_$setting"
        same_program stencil --n 90 --iterations 5
        same_program conv2d --n 60
        unset "PARTITION_${setting%=*}"
    done
    numbers=4
    PARTITION_SPLIT=xy same_program stencil --n 90 --iterations 5
    export PARTITION_HTOD=broadcast PARTITION_RESOLUTION=last-writer
    same_program stencil --n 90 --iterations 5
    same_program nbody --n 256 --iterations 2
}

@test "without copies between devices the stencil is wrong" {
    find_preload
    on_devices 1 "$programs/stencil" --n 90 --output "$scratch/expected"
    export PARTITION_HTOD=broadcast PARTITION_RESOLUTION=none
    LD_PRELOAD=${preload:+$preload:}$programs/libpartition.so on_devices 3 "$programs/stencil" --n 90 --output "$scratch/result"
    [ "$status" -eq 0 ]
    [ "$(count d2d_copies)" -eq 0 ]
    ! cmp -s "$scratch/expected" "$scratch/result"
}

@test "a repeated launch is not worked out again" {
    find_preload
    export LD_PRELOAD=${preload:+$preload:}$programs/libpartition.so
    on_devices 3 "$programs/stencil" --n 90 --iterations 10
    accesses=$(count aa_created)
    transitions=$(count dr_created)
    [ "$(count kl_created)" -eq 2 ]
    on_devices 3 "$programs/stencil" --n 90 --iterations 30
    [ "$(count launches)" -eq 30 ]
    [ "$(count kl_created)" -eq 2 ]
    [ "$(count aa_created)" -eq "$accesses" ]
    [ "$(count dr_created)" -eq "$transitions" ]
}

@test "calls of all kinds, linked with the archive" {
    for devices in 1 3 8; do
        for case in once middle streams fills packed host-function freed addresses wrong-calls; do
            same_calls "$devices" "$case"
            [ "$(count one_device)" -eq 0 ]
        done
    done
}

@test "threads of a program call at the same time, also while one of them waits" {
    calls=$BATS_FILE_TMPDIR/thread_calls
    for case in many waiting; do
        PARTITION_HTOD=scatter same_calls 3 "$case"
        PARTITION_HTOD=lazy same_calls 3 "$case"
        [ "$(count one_device)" -eq 0 ]
    done
}

@test "asynchronous copies through the same memory of the host keep their order" {
    for htod in scatter broadcast lazy; do
        PARTITION_HTOD=$htod PARTITION_QUIET=1 same_calls 3 through-page
    done
}

# The module of tests/partition/$1.cu and its data base, in $modules.
make_module() {
    local sanitizer=()
    modules=$scratch/modules
    mkdir -p "$modules"
    common/soft/module-source "tests/partition/$1.cu" >"$scratch/module.cc"
    [[ $programs != *-address* ]] || sanitizer=('-fsanitize=address,undefined')
    "${CXX:-g++}" -x c++ -std=c++17 -fPIC -pthread "${sanitizer[@]}" -DSOFTGPU -I. -I. -Icommon/include -Ipartition/include -Icommon/soft/include -shared \
        -Wl,-Bsymbolic -fno-gnu-unique "$scratch/module.cc" -o "$modules/$1.so"
    "$programs/partition-analyse" "tests/partition/$1.cu" -o "$modules/$1.db" --module "$modules/$1.so"
}

@test "a launch is cut along the dimension that its own shape allows, and says why if none does" {
    make_module tiles
    for devices in 2 3; do
        same_calls "$devices" shapes
        [ -z "$stderr" ]
        [ "$(count one_device)" -eq 0 ]
    done
    same_calls 3 overlap
    [ "$(count one_device)" -eq 1 ]
    [[ $stderr == *"kernel tiles runs on one device: two devices would write element "*" of out if its grid is cut along "* ]]
}

@test "a kernel on one device moves again what changed, and nothing else" {
    make_module tiles
    cp "$programs"/chain.{so,db} "$modules"
    same_calls 3 kept
    [ "$(count one_device)" -eq 10 ]
    local moved kept
    kept=$(count d2d_bytes)
    sed -i '/^touches places /d' "$modules/tiles.db"
    same_calls 3 kept
    moved=$(count d2d_bytes)
    # Two thirds of one array of 20000 bytes in each step, and little else.
    [ "$kept" -lt $((10 * 13600 + 30000)) ]
    [ $((2 * moved)) -gt $((3 * kept)) ]
}

@test "a data base of another module is an error with a sentence, and the result is right" {
    modules=$scratch/modules
    mkdir "$modules"
    cp "$programs"/chain.{so,db} "$modules"
    same_calls 3 once
    [ "$(count one_device)" -eq 0 ]
    printf x >>"$modules/chain.so" # compiled anew
    same_calls 3 once
    [ "$(count one_device)" -eq 1 ]
    [[ $stderr == *"chain_smooth runs on one device: $modules/chain.db: the data base is of another module, or the module was compiled anew: analyse its source again" ]]
    cp "$programs/chain.so" "$modules"
    sed -i '/^module /d' "$modules/chain.db"
    same_calls 3 once
    [[ $stderr == *"does not say of which module it is"*"--module" ]]
}

@test "a variable that one device wrote reaches the others" {
    make_module table
    same_calls 3 variable
    [ "$(count one_device)" -eq 1 ]
    [[ $stderr == *"kernel fill_table runs on one device"* ]]
}

@test "what cannot be split runs on one device and says why" {
    same_calls 3 same-buffer
    [ "$stderr" = "partition: kernel chain_scale runs on one device: two pointers reach the same memory and one writes" ]
    [ "$(count one_device)" -eq 1 ]
    same_calls 3 no-buffer
    [[ $stderr == *"argument in points to memory that is no buffer of cuMemAlloc" ]]
    same_calls 3 beside
    [ "$(count one_device)" -eq 1 ]
    [[ $stderr == *"kernel refine runs on one device: it reads another buffer than that of argument in" ]]
    same_calls 3 mixed
    [ "$(count one_device)" -eq 3 ]
    [ "$(wc -l <<<"$stderr")" -eq 1 ] # once for three launches
    [[ $stderr == *"kernel scatter runs on one device: writes out at an index"* ]]
    PARTITION_QUIET=1 same_calls 3 mixed
    [ -z "$stderr" ]
}

@test "without a data base, or with a wrong one, the result is right and the reason is told" {
    mkdir "$scratch/modules"
    cp "$programs/chain.so" "$scratch/modules"
    modules=$scratch/modules
    same_calls 3 once
    [ "$(count one_device)" -eq 1 ]
    [[ $stderr == "partition: kernel chain_smooth runs on one device:"*chain.db* ]]
    echo nonsense >"$scratch/modules/chain.db"
    same_calls 3 once
    [ "$(count one_device)" -eq 1 ]
    PARTITION_DATABASE=$programs/matmul.db same_calls 3 once
    [[ $stderr == *"matmul.db: the data base is of another module"* ]]
    sed 's/^kernel chain_smooth$/kernel other/;s/^touches chain_smooth /touches other /' "$programs/chain.db" >"$scratch/modules/chain.db"
    same_calls 3 once
    [[ $stderr == *"the data base does not know it"* ]]
    sed 's/^  bits 32$/  bits 64/' "$programs/chain.db" >"$scratch/modules/chain.db"
    same_calls 3 once
    [[ $stderr == *"argument n has 8 bytes by the data base and 4 in the module"* ]]
    sed 's/^ invalid .*/ invalid [n] -> { : n > 4000 }/' "$programs/chain.db" >"$scratch/modules/chain.db"
    same_calls 3 once
    [ "$(count one_device)" -eq 1 ]
    [[ $stderr == *"kernel chain_smooth runs on one device"* ]]
}

@test "out of memory on one of three devices is an error that leaves nothing behind" {
    same_calls 3 full once
    [ "$(count one_device)" -eq 0 ]
}

@test "settings that make no sense are named and the context is refused" {
    while IFS='|' read -r setting words; do
        export "PARTITION_$setting"
        on_devices 2 "$calls" once "$programs" "$scratch/result"
        [ "$status" -eq 1 ]
        [[ $stderr == "partition: $words"* ]]
        unset "PARTITION_${setting%%=*}"
    done <<'EOF'
DEVICES=3|3 devices were requested and there are 2
DEVICES=two|PARTITION_DEVICES=two: expected a number
DEVICES=65|PARTITION_DEVICES=65: expected a number
DEVICES=-1|PARTITION_DEVICES=-1: expected a number
SPLIT=xyz|the split must be
SPLIT=abcdef|PARTITION_SPLIT=abcdef: expected a shorter text
HTOD=all|PARTITION_HTOD=all: expected scatter, broadcast or lazy
RESOLUTION=omega|PARTITION_RESOLUTION=omega: expected exact
RESOLUTION=last-writer|resolution last-writer or none does not know
ACCESS=lines|PARTITION_ACCESS=lines: expected boxes
CACHE=yes|PARTITION_CACHE=yes: expected 0 or 1
PULL_BYTES=-1|PARTITION_PULL_BYTES=-1: expected a number of bytes
PULL_BYTES=1M|PARTITION_PULL_BYTES=1M: expected a number of bytes
EOF
}
