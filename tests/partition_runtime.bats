# partition: programs that nvcc built, unchanged, with libpartition.so. There is no GPU here: a libcuda.so.1 that executes PTX on
# the host and a libcudart.so.13 on top of it stand in (tests/partition/standin), so that everything between the program and the
# driver is what it is on a GPU. RUNTIME_LONG=1: all programs, more devices and settings.

load helper

nvcc=${CUDA_HOME:-/usr/local/cuda}/bin/nvcc
analyse=build/${GPU:-soft}/partition/partition-analyse

setup_file() {
    [ "${GPU:-soft}" = soft ] && [ -x "$nvcc" ] && [ -x "$analyse" ] || return 0
    export made=$BATS_FILE_TMPDIR
    mkdir "$made/programs" "$made/databases"
    local flags=(-std=c11 -D_GNU_SOURCE -O1 -Wall -Wextra -Werror -pthread -fPIC -I. -Icommon/include -Ipartition/include
        -isystem "${CUDA_HOME:-/usr/local/cuda}/include" '-DDATAMOTION_VERSION="test"')
    build_library "${flags[@]}" &
    "${CC:-gcc}" "${flags[@]}" -shared tests/partition/standin/cudart.c -Wl,--version-script,tests/partition/standin/cudart.map \
        -o "$made/libcudart.so.13" -ldl
    "${CC:-gcc}" "${flags[@]}" -shared -Wl,-Bsymbolic tests/partition/standin/{driver,ptx_text,ptx_run}.c partition/fatbin/{fatbin,decompress}.c \
        common/{status,error}.c -o "$made/libcuda.so.1" -ldl -lm
    local program names=(jacobi scan)
    [ -z "${RUNTIME_LONG:-}" ] || names=(jacobi heat3d lu adi transpose scan histogram nbody fdtd matmul variables streams reduction)
    for program in "${names[@]}"; do
        "$nvcc" -O2 -cudart shared "partition/programs/$program.cu" -o "$made/programs/$program"
    done
    for program in numbers atomics structures only_read; do
        "$nvcc" -O2 -cudart shared -I. "tests/partition/$program.cu" -o "$made/programs/$program"
    done
    wait $!
}

# bats 1.8 takes `skip` in setup_file for a failure.
setup() {
    [ "${GPU:-soft}" = soft ] || skip "partition_cuda.bats tests this on GPUs"
    [ -x "$nvcc" ] || skip "needs nvcc"
    [ -x "$analyse" ] || skip "needs LLVM"
}

# As the Makefile does with GPU=cuda, in a few seconds.
build_library() {
    "$nvcc" -ptx -arch=compute_80 partition/interpose/copies/pull.cu -o "$made/pull.ptx"
    "${CC:-gcc}" -DIMAGE="\"$made/pull.ptx\"" -c partition/interpose/copies/pull_image.S -o "$made/pull_image.o"
    echo '{ global: cu[A-Z]*; dlsym; partition_*; local: *; };' >"$made/exports"
    "${CC:-gcc}" "$@" -fopenmp -shared -Wl,--version-script,"$made/exports" partition/*.c partition/fatbin/{fatbin,decompress}.c \
        partition/interpose/*/*.c partition/interpose/preload/*.S "$made/pull_image.o" common/{status,error}.c -lisl -ldl -lm \
        -o "$made/libpartition.so"
}

# A partition-analyse for PTX that analyses the program's source.
make_analyser() {
    cat >"$scratch/analyser" <<END
#!/bin/sh
echo "\$\$" >>"$scratch/analysed"
exec "$PWD/$analyse" "$scratch/kernels.cu" -o "\$4" --module "\$2"
END
    chmod +x "$scratch/analyser"
    sed -n '/^#define\|^__global__\|^__constant__\|^__device__\|^template/,/^int main/{/^int main/!p}' "partition/programs/$1.cu" >"$scratch/kernels.cu"
    export PARTITION_ANALYSE=$scratch/analyser PARTITION_DATABASES=$scratch/databases
}

# with_library PROGRAM ARGUMENT...: its checksum in $result, what it said in $scratch/said.
with_library() {
    rm -f "$scratch/statistics"
    STANDIN_DEVICES=${gpus:-3} PARTITION_STATISTICS=$scratch/statistics LD_LIBRARY_PATH=$made LD_PRELOAD=$made/libpartition.so \
        timeout 100 "$made/programs/$1" "${@:2}" >"$scratch/printed" 2>"$scratch/said" || { cat "$scratch/said" && return 1; }
    result=$(awk '{ print $2 }' "$scratch/printed")
}

statistic() {
    awk -v key="$1" '$1 == key { print $2 }' "$scratch/statistics"
}

# same_bits ONE_DEVICE PROGRAM ARGUMENT...: on several devices as without the library; so many launches run on one.
same_bits() {
    local expected devices
    make_analyser "$2"
    expected=$(LD_LIBRARY_PATH=$made "$made/programs/$2" "${@:3}" | awk '{ print $2 }')
    for devices in ${choices:-1 3 0,0}; do
        PARTITION_DEVICES=$devices with_library "${@:2}" || return 1
        echo "$2 on $devices: $result, expected $expected, $(statistic one_device) on one device"
        cat "$scratch/said"
        [ "$result" = "$expected" ] || return 1
        [ "$(statistic launches)" -gt 0 ] || return 1
        [ "$(statistic one_device)" -eq "$1" ] || return 1
    done
}

@test "a program that nvcc built gives the same bits on several devices, and one GPU serves as two" {
    same_bits 0 jacobi 70 4
    export STANDIN_LOG=$scratch/log
    PARTITION_DEVICES=2 with_library jacobi 64 1
    grep -q '^_Z6jacobiPKfPfi device 0 grid 2 4 1$' "$scratch/log"
    grep -q '^_Z6jacobiPKfPfi device 1 grid 2 4 1$' "$scratch/log"
}

@test "kernels that cannot be split run on one device, between others" {
    same_bits 1 scan 3000
    grep -q 'kernel _Z11scan_blocks.* runs on one device: ' "$scratch/said"
}

@test "structures that hold pointers: each device is given those of its own copies" {
    export PARTITION_ANALYSE=$PWD/$analyse PARTITION_DATABASES=$scratch/databases
    expected=$(LD_LIBRARY_PATH=$made "$made/programs/structures" 45 4 | awk '{ print $2 }')
    for devices in 1 3 0,0; do
        PARTITION_DEVICES=$devices with_library structures 45 4
        echo "on $devices: $result, expected $expected, $(statistic one_device) on one device"
        cat "$scratch/said"
        [ "$result" = "$expected" ]
        [ "$(statistic launches)" -eq 8 ]
        [ "$(statistic one_device)" -eq 0 ]
    done
}

@test "variables of a module that only the host writes are up to date on each device, and others are read on one" {
    export PARTITION_ANALYSE=$PWD/$analyse PARTITION_DATABASES=$scratch/databases
    expected=$(LD_LIBRARY_PATH=$made "$made/programs/only_read" 500 4 | awk '{ print $2 }')
    for devices in 1 3 0,0; do
        PARTITION_DEVICES=$devices with_library only_read 500 4
        echo "on $devices: $result, expected $expected, $(statistic one_device) on one device"
        cat "$scratch/said"
        [ "$result" = "$expected" ]
        [ "$(statistic launches)" -eq 24 ]
        [ "$(statistic one_device)" -eq 12 ]
    done
    grep -q 'refused_written.* uses the __device__ variable written' "$scratch/said"
    grep -q 'add_to.* it writes a variable of its module' "$scratch/said"
    PARTITION_HTOD=lazy PARTITION_DEVICES=3 with_library only_read 500 4
    [ "$result" = "$expected" ]
}

@test "kernels that are refused by themselves are split with the numbers of a launch, which are kept" {
    export PARTITION_ANALYSE=$PWD/$analyse PARTITION_DATABASES=$scratch/databases
    expected=$(LD_LIBRARY_PATH=$made "$made/programs/numbers" 24 2 | awk '{ print $2 }')
    for numbers in 8 0 2; do
        PARTITION_NUMBERS=$numbers PARTITION_DEVICES=3 with_library numbers 24 2
        echo "$numbers: $result, expected $expected, $(statistic one_device) on one device"
        cat "$scratch/said"
        [ "$result" = "$expected" ]
        [ "$(statistic one_device)" -eq "$((numbers ? 0 : 4))" ]
        [ "$(ls "$scratch/databases" | wc -l)" -eq 3 ]
    done
    # Other numbers.
    PARTITION_NUMBERS=1 PARTITION_DEVICES=3 with_library numbers 25 1
    [ "$(ls "$scratch/databases" | wc -l)" -eq 5 ]
    [ "$(statistic one_device)" -eq 0 ]
}

@test "atomic operations whose order does not count give the same bits on several devices" {
    export PARTITION_ANALYSE=$PWD/$analyse PARTITION_DATABASES=$scratch/databases
    expected=$(LD_LIBRARY_PATH=$made "$made/programs/atomics" 900 2 | awk '{ print $2 }')
    for devices in 1 2 3 0,0; do
        PARTITION_DEVICES=$devices with_library atomics 900 2
        echo "$devices: $result, expected $expected"
        cat "$scratch/said"
        [ "$result" = "$expected" ]
        [ "$(statistic one_device)" -eq 0 ]
    done
    PARTITION_ATOMICS=none PARTITION_DEVICES=3 with_library atomics 900 2
    [ "$result" = "$expected" ]
    [ "$(statistic one_device)" -eq 8 ]
    for setting in HTOD=broadcast HTOD=lazy CACHE=0 PULL_BYTES=0 SPANS=1; do
        export "PARTITION_$setting"
        PARTITION_DEVICES=3 with_library atomics 900 2
        [ "$result" = "$expected" ]
        [ "$(statistic one_device)" -eq 0 ]
        unset "PARTITION_${setting%=*}"
    done
    PARTITION_HTOD=broadcast PARTITION_RESOLUTION=last-writer PARTITION_DEVICES=3 with_library atomics 900 2
    [ "$result" = "$expected" ]
}

@test "a data base is made at the first start, kept, and used by the second" {
    make_analyser jacobi
    PARTITION_DEVICES=2 with_library jacobi 40 1
    [ "$(wc -l <"$scratch/analysed")" -eq 1 ]
    [ "$(ls "$scratch/databases")" = "$(cd "$scratch/databases" && ls -- ????????????????.db)" ]
    PARTITION_DEVICES=2 with_library jacobi 40 1
    [ "$(wc -l <"$scratch/analysed")" -eq 1 ]
    [ ! -s "$scratch/said" ]
}

@test "several processes at once make one data base" {
    make_analyser jacobi
    for i in 1 2 3; do
        STANDIN_DEVICES=2 LD_LIBRARY_PATH=$made LD_PRELOAD=$made/libpartition.so timeout 100 "$made/programs/jacobi" 40 1 >"$scratch/out$i" 2>&1 &
    done
    wait
    cat "$scratch"/out?
    [ "$(cut -d' ' -f2 "$scratch"/out? | sort -u | wc -l)" -eq 1 ]
    [ "$(ls "$scratch/databases")" = "$(cd "$scratch/databases" && ls -- ????????????????.db)" ]
}

@test "a foreign data base is an error, and nothing is split by it" {
    make_analyser jacobi
    PARTITION_DEVICES=2 with_library jacobi 40 1
    sed -i 's/^module .*/module 0123456789abcdef/' "$scratch"/databases/*.db
    PARTITION_DEVICES=2 with_library jacobi 40 1
    cat "$scratch/said"
    [ "$(statistic one_device)" -eq 1 ]
    grep -q 'runs on one device: .*another module' "$scratch/said"
}

@test "an analysis that fails, hangs or is not there: a sentence, the right result, no second attempt" {
    make_analyser jacobi
    expected=$(LD_LIBRARY_PATH=$made "$made/programs/jacobi" 40 1 | awk '{ print $2 }')
    printf '#!/bin/sh\necho "%s" >>%s\necho "what is wrong" >&2\nexit 1\n' x "$scratch/analysed" >"$scratch/analyser"
    for i in 1 2; do
        PARTITION_DEVICES=2 with_library jacobi 40 1
        grep -q 'one device: its analysis failed: what is wrong' "$scratch/said"
        [ "$result" = "$expected" ]
        [ "$(wc -l <"$scratch/analysed")" -eq 1 ]
    done
    rm "$scratch"/databases/*.failed
    printf '#!/bin/sh\nsleep 60 & sleep 60\n' >"$scratch/analyser"
    PARTITION_ANALYSE_SECONDS=1 PARTITION_DEVICES=2 with_library jacobi 40 1
    grep -q 'takes longer than 1 s' "$scratch/said"
    rm "$scratch"/databases/*.failed
    PARTITION_ANALYSE=/nowhere PARTITION_DEVICES=2 with_library jacobi 40 1
    grep -q '/nowhere cannot be started' "$scratch/said"
    [ "$result" = "$expected" ]
    [ -z "$(ls "$scratch/databases")" ]
}

@test "a program without PTX says how to build it, and runs" {
    make_analyser jacobi
    "$nvcc" -O2 -cudart shared partition/programs/jacobi.cu -Xfatbin -compress-all -o "$made/programs/packed"
    PARTITION_DEVICES=2 with_library packed 40 1
    [ "$(statistic one_device)" -eq 0 ]
    # The stand-in cannot run machine code either: it is the sentence that counts.
    "$nvcc" -O2 -cudart shared -gencode arch=compute_90,code=sm_90 partition/programs/jacobi.cu -o "$made/programs/bare"
    PARTITION_DEVICES=2 with_library bare 40 1 || true
    grep -q 'runs on one device: its file has machine code (sm_90) and no PTX: nvcc -arch=sm_90 embeds' "$scratch/said"
}

@test "PARTITION_DEVICES takes a list that begins with device 0" {
    make_analyser jacobi
    PARTITION_DEVICES=1,0 with_library jacobi 40 1
    grep -q 'must begin with device 0' "$scratch/said"
    PARTITION_DEVICES=0,7 with_library jacobi 40 1
    grep -q '8 devices were requested and there are 3' "$scratch/said"
    PARTITION_DEVICES=0,x with_library jacobi 40 1
    grep -q 'PARTITION_DEVICES=0,x: expected a number' "$scratch/said"
    PARTITION_OFF=1 with_library jacobi 40 1
    [ ! -e "$scratch/statistics" ]
}

@test "all programs, numbers of devices and settings (RUNTIME_LONG=1)" {
    [ -n "${RUNTIME_LONG:-}" ] || skip "RUNTIME_LONG=1"
    export choices='1 2 3 0,0 0,1,0,1'
    same_bits 0 jacobi 70 4
    same_bits 0 lu 40
    same_bits 0 adi 60 2
    same_bits 0 transpose 70 3
    same_bits 0 nbody 300 2
    same_bits 0 fdtd 60 3
    same_bits 0 matmul 50
    same_bits 0 streams 3000 5
    same_bits 0 histogram 3000
    same_bits 3 variables 1000 3
    same_bits 2 reduction 5000
    same_bits 3 heat3d 20 3
    for setting in HTOD=broadcast HTOD=lazy ACCESS=rows SPLIT=x SPLIT=xy COALESCE=0 READ_WHOLE=1 CACHE=0 PULL_BYTES=0; do
        export "PARTITION_$setting"
        same_bits 0 fdtd 50 3
        unset "PARTITION_${setting%=*}"
    done
}
