# The floors of the house: which directory may use which, what libraries may not do, one convention for errors.
# shellcheck disable=SC2016
# Patterns are not expanded.

load helper

setup() {
    mechanisms=()
    for makefile in */Makefile; do
        case ${makefile%/*} in common | run | tests) ;; *) mechanisms+=("${makefile%/*}") ;; esac
    done
}

# The C sources and headers of a directory.
sources_of() {
    find "$1" -name '*.[ch]' -o -name '*.cu' | sort
}

# The mechanism directories that $1 may use.
below() {
    case $1 in prefetch | rdma) echo pinning ;; esac
}

@test "mechanism directories use common/ and what lies below them, and nothing else" {
    local directory other found=0
    for directory in "${mechanisms[@]}"; do
        for other in "${mechanisms[@]}"; do
            [ "$other" != "$directory" ] && [ "$other" != "$(below "$directory")" ] || continue
            if sources_of "$directory" | xargs grep -nE "#include [\"<]($other/|datamotion/$other\b)"; then found=1; fi
        done
        for other in $(make -s -C "$directory" sources 2>/dev/null | awk '$1 == "uses" { print $2 }'); do
            [ "$other" = "$(below "$directory")" ] || { echo "$directory/Makefile uses $other"; found=1; }
        done
    done
    [ "$found" -eq 0 ]
}

@test "common/ uses no mechanism directory" {
    local directory
    for directory in "${mechanisms[@]}"; do
        run ! grep -rnE "#include [\"<]($directory/|datamotion/$directory\b)" common --include=*.[ch] --include=*.cu
    done
}

@test "libraries use nothing of the programs' harness" {
    local directory found=0
    for directory in "${mechanisms[@]}"; do
        [ -d "$directory/include" ] || continue
        if make -s -C "$directory" sources | awk -v d="$directory" '$1 == "library" && $2 { print d "/" $2 }' |
            xargs grep -nE '#include ["<](common/harness/|common/workloads/)|\b(check_cuda|check_mpi|check_errno|check_status|allocate_or_fail|memory_allocate|fail|waive|leave)\('; then
            found=1
        fi
    done
    [ "$found" -eq 0 ]
}

@test "public headers include only system headers, CUDA, MPI and one another" {
    run ! grep -nE '^#include' */include/datamotion/*.h \
        --include=*.h -e NOTHING
    local header
    for header in */include/datamotion/*.h; do
        run ! grep -nvE '^#include <(std[a-z]+|math|string|time|stdatomic|cuda_runtime|cuda|cooperative_groups|mpi|utility|softgpu/launch|datamotion/[a-z_]+)(\.h)?>' \
            <(grep '^#include' "$header")
    done
}

@test "one convention for errors" {
    # What the others looked like: texts through pointers, errors in structures and enumerations of their own.
    run ! grep -rnP '\*\*(complaint|reason|error)\b|char (complaint|reason)\[|struct (?!fann_)[a-z_]+_error\b|_complaint\(|enum (?!dm_)[a-z_]+_status\b' \
        "${mechanisms[@]}" common --include=*.[ch] --include=*.cu --exclude-dir=soft --exclude-dir=harness
    # And what they still may be: CUDA's errors where kernels are launched, the programs' exit codes.
    run ! grep -rnE '^(static )?cudaError_t [a-z_]+\(' */include --include=*.h
}

@test "rows are structures: no positional values" {
    run ! grep -rnE 'record_values|\bstruct value\b' "${mechanisms[@]}" common/*.c --include=*.[ch]
}

@test "the list of words is kept: nouns most and least, exchange for swap" {
    run ! grep -rnwE '[A-Z_]+_(MOST|LEAST)|(MOST|LEAST)_[A-Z_]+' "${mechanisms[@]}" common run --include=*.[ch] --include=*.cu
}
