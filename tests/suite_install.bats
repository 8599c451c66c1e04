# What is installed works where it is: libraries, headers, pkg-config, examples, programs; nothing of the source tree is
# used but through the prefix.
# shellcheck disable=SC2016,SC2046
# Flags are words, and build lines are run by a shell of their own.

load helper

setup_file() {
    export prefix=$BATS_FILE_TMPDIR/prefix
    common/install "build/${GPU:-soft}" "$prefix"
    mkdir "$BATS_FILE_TMPDIR/examples"
    cp "$prefix"/share/datamotion/examples/* "$BATS_FILE_TMPDIR/examples/"
}

setup() {
    export PKG_CONFIG_PATH=$prefix/lib/pkgconfig PATH=$prefix/bin:$PATH
    unset "${!CAF_@}"
    # In the shell of ./setup --prefix it has what is there, such as pkg-config's own library.
    [ -n "${DATAMOTION_DEPS:-}" ] || unset LD_LIBRARY_PATH
    cd "$BATS_FILE_TMPDIR/examples"
}

libraries() {
    ls "$prefix"/lib/libdatamotion-*.so
}

# said KEY FILE: what an example's first comment says behind `KEY: `. Lines that end with a backslash go on.
said() {
    awk -v key="$1: " '
        /^[^ ]*\*\// || /^[^!\/ ]/ { exit }
        { sub(/^( \*|\/\*|!|\/\/) ?/, ""); sub(/ *\*\/$/, "") }
        more { line = line $0 }
        index($0, key) == 1 { line = substr($0, length(key) + 1) ; more = 1 }
        more { more = sub(/ *\\$/, " ", line); if (!more) { print line; exit } }' "$2"
}

# The compiler that an example needs is here.
can_build() {
    case $1 in
    *mpicc*) command -v mpicc >/dev/null ;;
    pipelinecc*) command -v pipelinecc >/dev/null ;;
    *gfortran* | *caf\ *) command -v gfortran >/dev/null ;;
    *) true ;;
    esac
}

@test "each example is built by its own first lines, and prints what it says" {
    local file build count=0
    for file in *.*; do
        build=$(said "Build" "$file")
        [[ ${GPU:-soft} != soft || $file != *.cu ]] || build=$(said "Build with the software GPU" "$file")
        echo "$file: $build"
        [ -n "$build" ]
        can_build "$build" || continue
        bash -c "set -e; $build"
        [[ $build != *" -c "* || $(said "Run" "$file") ]]
        [ "${GPU:-soft}" = soft ] || nvidia-smi -L >/dev/null 2>&1 || continue
        output=$(export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 && timeout 120 bash -c "set -e; $(said "Run" "$file")" 2>&1)
        echo "$output"
        # What it prints, with * for what differs.
        # shellcheck disable=SC2053
        [[ $output == $(said "Prints" "$file") ]]
        count=$((count + 1))
    done
    [ "$count" -ge 1 ]
}

@test "each library has an example" {
    local library name
    for library in $(libraries); do
        name=$(basename "$library" .so) name=${name#libdatamotion-}
        [ "$name" != common ] || continue
        echo "$name"
        grep -lq "datamotion-$name\b\|datamotion/$name\.h" -- *.*
    done
}

@test "public headers compile alone, in C and in C++" {
    local header name flags
    for header in "$prefix"/include/datamotion/*.h; do
        name=$(basename "$header")
        flags=$(pkg-config --cflags datamotion-common datamotion-gpu)
        grep -q '<mpi.h>' "$header" && flags+=" $(mpicc --showme:compile | sed 's/-I/-isystem /g')"
        echo "$name"
        # shellcheck disable=SC2086
        echo "#include <datamotion/$name>" | gcc -std=c11 -pedantic -Wall -Wextra -Werror $flags -x c -c - -o /dev/null
        # shellcheck disable=SC2086
        echo "#include <datamotion/$name>" | g++ -std=c++17 -Wall -Wextra -Werror $flags -x c++ -c - -o /dev/null
        run ! grep -nE '#include "' "$header"
    done
}

@test "libraries export only names that their headers document" {
    local library name undocumented
    cat "$prefix"/include/datamotion/*.h | grep -oE '[A-Za-z_][A-Za-z_0-9]*' | sort -u >"$BATS_TEST_TMPDIR/documented"
    for library in $(libraries); do
        echo "$library"
        [[ $(readelf -d "$library") == *"SONAME"*"$(basename "$library").0"* ]]
        nm -D --defined-only "$library" | awk '$2 != "A" { sub(/@.*/, "", $3); print $3 }' | sort -u >"$BATS_TEST_TMPDIR/exported"
        [ -s "$BATS_TEST_TMPDIR/exported" ]
        undocumented=$(comm -23 "$BATS_TEST_TMPDIR/exported" "$BATS_TEST_TMPDIR/documented")
        echo "$undocumented"
        [ -z "$undocumented" ]
        # The static library shows the same names.
        nm --defined-only --extern-only "${library%.so}.a" 2>/dev/null | awk 'NF == 3 { print $3 }' | sort -u |
            diff - "$BATS_TEST_TMPDIR/exported"
    done
}

@test "no library prints, ends the process or leaves the MPI job" {
    local library
    for library in $(libraries); do
        echo "$library"
        run ! grep -wE 'exit|_exit|_Exit|quick_exit|abort|__assert_fail|raise|MPI_Abort|printf|vprintf|__printf_chk|puts|putchar|perror|stdout|stderr' \
            <(nm -D --undefined-only "$library" | awk '{ sub(/@.*/, "", $2); print $2 }')
    done
}

@test "programs work from the prefix" {
    [ "$(ls "$prefix/bin" | grep -c '^pinning_')" -gt 3 ]
    run -1 "$BATS_TEST_DIRNAME/../common/install" nowhere "$BATS_TEST_TMPDIR"
    [ "${GPU:-soft}" = soft ] || nvidia-smi -L >/dev/null 2>&1 || skip "no GPU here"
    pinning_copy --sizes 16 "${once[@]}"
    [ -e "$prefix/lib/libpartition.so" ] || skip "partition/ was not built"
    partition_applications --apps chain:1000 --devices 2 -n 1 -w 0
    command -v partition-analyse >/dev/null || return 0
    partition_verdicts -n 1 -w 0
    partition-analyse "$BATS_TEST_DIRNAME/../partition/kernels/chain.cu" -o chain.db
    grep -q '^kernel chain_smooth' chain.db
}
