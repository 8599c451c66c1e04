# partition/experiments/apps: the test programs on one device against the CPU, and what they refuse.

load helper

setup() {
    [ "${GPU:-soft}" = soft ] || skip "sizes are for the software GPU"
    programs=$bin/../partition
}

# An application with options.
application() { run_apart "$programs/$1" "${@:2}"; }

# The software GPU computes in the CPU's order of operations: not a bit may differ.
same_as_the_cpu() {
    application "$@" --check
    [ "$status" -eq 0 ]
    grep -q '^checksum [0-9a-f]\{16\}$' <<<"$output"
    ! grep '^difference' <<<"$output" | grep -qv '^difference 0$'
}

# It fails with exit code 1 and the words, which may stand before the last line.
refuses() {
    application "${@:2}"
    [ "$status" -eq 1 ]
    [[ $stderr == *"$1"* ]]
    [[ $stderr == *"RESULT: FAIL"* ]]
}

@test "every application computes what the CPU does" {
    for name in matmul matmul_rows stencil stencil9 nbody nbody_soft stencil3d conv2d reduction chain refine histogram; do
        same_as_the_cpu "$name" --seed 5
    done
    same_as_the_cpu matmul_tiled --n 96 --seed 5 # its barriers are slow on the software GPU
}

@test "sizes that do not fill the last block, other blocks, no iterations" {
    same_as_the_cpu matmul --n 24 --block 8,4
    same_as_the_cpu matmul_rows --n 37 --block 32,2
    same_as_the_cpu stencil --n 61 --iterations 7 --block 64,1
    same_as_the_cpu stencil --n 2
    same_as_the_cpu stencil9 --n 45 --iterations 3 --block 8,16
    same_as_the_cpu stencil9 --n 33 --iterations 0
    same_as_the_cpu nbody --n 96 --iterations 3 --block 32
    same_as_the_cpu nbody_soft --n 96 --iterations 2 --block 96
    same_as_the_cpu stencil3d --n 19 --iterations 3 --block 4,4,4
    same_as_the_cpu conv2d --n 35 --iterations 3
    same_as_the_cpu reduction --n 16384 --block 32 --iterations 2
    same_as_the_cpu reduction --n 1
    same_as_the_cpu chain --n 1001 --iterations 3 --block 96
    same_as_the_cpu refine --n 1003 --iterations 4
    same_as_the_cpu histogram --n 1000 --iterations 3
}

@test "the seed and the iterations change the result, which --output writes" {
    for options in "--seed 1 --iterations 3" "--seed 2 --iterations 3" "--seed 1 --iterations 4"; do
        read -ra words <<<"$options"
        application stencil --n 40 --output "$scratch/${options// /}" "${words[@]}"
        [ "$status" -eq 0 ]
        grep '^checksum' <<<"$output" >>"$scratch/checksums"
    done
    [ "$(sort -u "$scratch/checksums" | wc -l)" -eq 3 ]
    [ "$(stat -c %s "$scratch/--seed1--iterations3")" -eq $((40 * 40 * 4)) ]
    [ "$(md5sum "$scratch"/--seed* | cut -d ' ' -f 1 | sort -u | wc -l)" -eq 3 ]
}

@test "a wrong result is found" {
    mkdir "$scratch/modules"
    sed 's/0.4f \* in/0.5f * in/' partition/kernels/stencil3d.cu >"$scratch/stencil3d.cu"
    common/soft/module-source "$scratch/stencil3d.cu" >"$scratch/module.cc"
    local sanitizer=()
    [[ $programs != *-address* ]] || sanitizer=('-fsanitize=address,undefined')
    "${CXX:-g++}" -x c++ -std=c++17 -O1 -fPIC -pthread "${sanitizer[@]}" -DSOFTGPU -I. -Icommon/include -Ipartition/include -Icommon/soft/include -shared -Wl,-Bsymbolic \
        "$scratch/module.cc" -o "$scratch/modules/stencil3d.so"
    refuses "differs by" stencil3d --n 20 --modules "$scratch/modules" --check
}

@test "sizes and blocks that the kernels cannot do are refused" {
    refuses "n must be a multiple of the block" matmul --n 100
    refuses "n must be a multiple of the block" nbody --n 1000
    refuses "blocks of 16 x 16" matmul_tiled --block 8,8
    refuses "n is too large" stencil --n 46341
    refuses "n is too large" stencil3d --n 1291
    refuses "power of two" reduction --n 1000
    refuses "power of two" reduction --block 96
    refuses "n must be from 16" refine --n 8
    refuses "more dimensions than the kernel uses" chain --block 32,2
    refuses "more dimensions than the kernel uses" stencil --block 8,8,2
}

@test "options that make no sense are refused" {
    refuses "--n must be a whole number from 1" stencil --n 0
    refuses "not '7x'" stencil --n 7x
    refuses "--iterations must be" stencil --iterations -1
    refuses "--block must be" stencil --block 2048
    refuses "at most three numbers" stencil --block 1,1,1,1
    refuses "'more' is no option" stencil more
    refuses "--help lists the options" stencil --bogus
    refuses "cannot write /nowhere/result" stencil --n 20 --output /nowhere/result
    application stencil --help
    [ "$status" -eq 0 ]
    [[ $output == *--iterations* ]]
}

@test "errors of the device name the call and the cause" {
    refuses "/nowhere/stencil.so: cuModuleLoad: file was not found" stencil --modules /nowhere
    SOFTGPU_DEVICES=0 refuses "cuInit(0): no device" stencil
    SOFTGPU_MEMORY=1M refuses "cuMemAlloc(&buffer, bytes): out of memory" stencil --n 1024
    [[ $programs == *-address* || $programs == *-thread* ]] || LD_PRELOAD=$programs/libpartition.so PARTITION_SPLIT=q refuses "cuDevicePrimaryCtxRetain: invalid argument" stencil
}
