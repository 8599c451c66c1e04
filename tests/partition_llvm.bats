# The analysis with other versions of LLVM than the one of the build. The oldest other one that is installed is tried on a few kernels;
# LLVM_LONG=1: all versions, and all kernels of the build and the corpus.

load helper
# shellcheck disable=SC2154 # of helper.bash and of bats

setup() {
    tools=$bin/../partition
    [ -x "$tools/partition-wrap" ] || skip "needs LLVM"
    built=$(sed -n 's/^llvm_version := //p' build/libraries.mk)
}

# Versions that are whole, but for that of the build, oldest first.
others() {
    local version folder
    for version in {14..19}; do
        folder=$("llvm-config-$version" --includedir 2>/dev/null) || continue
        [ "$version" = "$built" ] || [ ! -e "$folder/polly/ScopInfo.h" ] || ! command -v "clang-$version" >/dev/null || echo "$version"
    done
}

# The tools with LLVM $1, in the folder $2.
build_tools() {
    local config=llvm-config-$1 folder
    folder=$("$config" --includedir)
    mkdir -p "$2/objects"
    cp -p "$tools"/{partition-map,partition-lift,partition-repair,partition-bind,partition_prelude.h,partition_functions.h,vector_types.h} "$2"
    sed "s|@LLVM@|$1|g; s|@LLVM_FOLDER@|$("$config" --bindir)|g" partition/analysis/partition-analyse >"$2/partition-analyse"
    chmod +x "$2/partition-analyse"
    (cd "$2/objects" && printf '%s\n' "$OLDPWD"/partition/analysis/partition_wrap*.c |
        xargs -P 2 -n 8 gcc -std=c11 -D_GNU_SOURCE -O0 -Wall -Wextra -Werror -I"$OLDPWD" -I"$OLDPWD/common/include" -isystem "$folder" -c)
    g++ -std=c++17 -O0 -fno-rtti -fno-exceptions -DNDEBUG -Wall -Wextra -Werror -isystem "$folder" -isystem "$folder/polly" \
        -c partition/analysis/partition_wrap_scops.cpp -o "$2/objects/scops.o"
    # shellcheck disable=SC2046 # words
    g++ -pthread -o "$2/partition-wrap" "$2"/objects/*.o "$bin/../lib/libcommon.a" $("$config" --ldflags --libs core irreader passes)
}

# A data base without what pointers that say what they point to, until LLVM 14, say of those that are not accessed.
without_types() {
    grep -v '^  \(type\|element_bits\|fundamental\) ' "$1"
}

@test "other versions of LLVM lead to the same data bases" {
    local version name files=(partition/kernels/{stencil,matmul_tiled}.cu tests/partition/corpus.cu)
    [ -z "${LLVM_LONG:-}" ] || files=(partition/kernels/*.cu tests/partition/{adversarial,types,corpus}.cu)
    mapfile -t versions < <(others)
    [ ${#versions[@]} -gt 0 ] || skip "only LLVM $built is here, of 14 to 19"
    [ -n "${LLVM_LONG:-}" ] || versions=("${versions[0]}")
    for version in "${versions[@]}"; do
        build_tools "$version" "$scratch/$version"
        for name in "${files[@]}"; do
            "$tools/partition-analyse" "$name" -o "$scratch/built.db"
            "$scratch/$version/partition-analyse" "$name" -o "$scratch/other.db"
            echo "$name with LLVM $version"
            grep -q '^kernel ' "$scratch/built.db"
            diff <(without_types "$scratch/built.db") <(without_types "$scratch/other.db")
        done
    done
}

@test "a version of LLVM that is not supported, or is not there, is named" {
    mkdir -p "$scratch/setup.d"
    cp setup.d/probe "$scratch/setup.d/"
    grep -E '^(llvm|libclang) ' setup.d/libraries >"$scratch/setup.d/libraries"
    LLVM=13 run "$scratch/setup.d/probe" table "$scratch/13"
    [[ $output == *"LLVM 13 is not supported, 14 to 19 are"* ]]
    run ! grep -q llvm "$scratch/13/libraries.mk"
    printf '#!/bin/sh\necho 23.1.0\n' >"$scratch/llvm-config-new"
    chmod +x "$scratch/llvm-config-new"
    LLVM_CONFIG=$scratch/llvm-config-new run "$scratch/setup.d/probe" table "$scratch/new"
    [ "$(grep -c 'LLVM 23 is not supported, 14 to 19 are' <<<"$output")" -eq 2 ]
    # That of the build, by its number.
    LLVM=$built "$scratch/setup.d/probe" update "$scratch/same"
    grep -q "^llvm_version := $built\$" "$scratch/same/libraries.mk"
    grep -q 'clang-'"$built"' llvm-'"$built" "$scratch/same/libraries.tsv"
    # Tools and clang must be of one version.
    echo 'extern "C" __global__ void fine(float *a) { a[threadIdx.x] = 1; }' >"$scratch/fine.cu"
    printf '#!/bin/sh\necho clang version 13.0.1\n' >"$scratch/clang-13"
    chmod +x "$scratch/clang-13"
    PARTITION_CLANG=$scratch/clang-13 run "$tools/partition-analyse" "$scratch/fine.cu" -o "$scratch/fine.db"
    [ "$status" -eq 1 ]
    [[ $output == *"clang-13 is not clang of LLVM $built"* ]]
}
